//! `restive demo`: the whole chain against a service that comes with restive, started as a process of its own.

use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::exec::{AuthFile, AuthSettings, HttpSettings, Ready, Reset, ResetSettings, SutSettings};
use crate::search::Tracking;

use super::args::DemoServiceArgs;
use super::{
    Attachment, CliError, DemoSettings, DriverSettings, Exit, OperationSettings, OutputSettings, SchemaSource, Settings, fuzz,
    tell,
};

/// Shown before a demo run.
const GREETING: &str = "\
restive demo: a small shop (products, customers, orders) is started on a loopback port and fuzzed as two users.
Two faults are planted in it: a payment in instalments that divides by zero, and an answer that does not match its schema.

";

/// Shown after a demo run.
const FAREWELL: &str = "
Your own service:
  it runs already:         restive fuzz --url http://127.0.0.1:8080
  it is a runnable jar:    restive fuzz --jar app.jar
  restive shall start it:  restive fuzz --command 'java -jar app.jar --port={port}'
  what is understood:      restive schema check openapi.yaml
  everything else:         restive fuzz --help
Point restive only at services and data that you may change: it creates, changes and deletes.
";

/// Runs the whole chain against the bundled service.
pub fn run(demo: &DemoSettings) -> Result<Exit, CliError> {
    let settings = settings(demo)?;
    if !demo.output.quiet {
        tell(GREETING);
    }
    let exit = fuzz::run(&settings)?;
    if !demo.output.quiet {
        tell(FAREWELL);
    }
    Ok(exit)
}

/// The settings a user would write for the bundled service.
fn settings(demo: &DemoSettings) -> Result<Settings, CliError> {
    let program = std::env::current_exe()
        .map_err(|error| CliError::environment(format!("cannot find the program of restive itself: {error}")))?;
    let command = [program.to_string_lossy().as_ref(), "demo-service", "--port", "{port}"].map(str::to_owned).to_vec();
    Ok(Settings {
        schema: Some(SchemaSource::Url(format!("http://127.0.0.1:{{port}}{}", restive_demo::OPENAPI_PATH))),
        http: HttpSettings {
            base_url: None,
            time_limit: Duration::from_secs(10),
            max_body_bytes: 1 << 20,
            max_rate: None,
            headers: Vec::new(),
            insecure: false,
        },
        sut: Some(SutSettings {
            command,
            env: Vec::new(),
            working_directory: None,
            fresh_folder: false,
            port: None,
            ready: Ready::HttpPath(restive_demo::OPENAPI_PATH.to_owned()),
            start_limit: Duration::from_secs(20),
            max_log_bytes: 1 << 20,
            notice_port: false,
        }),
        jar: None,
        packages: Vec::new(),
        driver: DriverSettings {
            guides: false,
            attachment: Attachment::Nothing,
            replacements: None,
            tracking: Tracking::Off,
            expands: false,
            discovers: false,
        },
        reset: ResetSettings {
            reset: Reset::Http { verb: "POST".to_owned(), url: restive_demo::RESET_PATH.to_owned() },
            limit: Duration::from_secs(5),
        },
        // Not a file of its own: an interrupted run would leave the passwords behind.
        auth: AuthSettings { file: Some(AuthFile::BuiltIn(restive_demo::AUTH)), bearer: None, basic: None },
        search: demo.search.clone(),
        operations: OperationSettings::default(),
        // Its settings are not those of `restive fuzz`, which could resume it.
        output: OutputSettings { max_journal: 0, ..demo.output.clone() },
        origins: demo.origins.clone(),
        as_toml: demo.as_toml.clone(),
        resumed: None,
        clock_speed: 1,
    })
}

/// Runs the bundled service until it is stopped.
pub fn serve(args: &DemoServiceArgs) -> Result<Exit, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::environment(format!("cannot set up the bundled service: {error}")))?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).await?;
        restive_demo::serve(listener).await
    });
    served.map_err(|error| {
        CliError::environment(format!("the bundled service cannot use port {}: {error}", args.port))
            .hint("choose another `--port`")
    })?;
    Ok(Exit::Clean)
}
