//! The service of the overhead study: started with the agent or without, and what a plain client asks of it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use restive_e2e::process::{Service, free_port};

use super::OverheadArguments;
use crate::throughput::plain_client::Recorded;

/// Secret of the session; only loopback is listened on.
const TOKEN: &str = "overhead";

/// The agent's library, and further options.
#[derive(Debug, Clone)]
pub struct Agent {
    library: PathBuf,
    options: &'static str,
}

impl Agent {
    /// The one that is inside a `restive` binary.
    pub fn of(restive: &Path) -> Result<Self> {
        let output = Command::new(restive).arg("agent").output();
        let output = output.with_context(|| format!("cannot run `{}`: build it first", restive.display()))?;
        ensure!(output.status.success(), "no agent: {}", String::from_utf8_lossy(&output.stderr));
        Ok(Self { library: String::from_utf8_lossy(&output.stdout).trim().into(), options: "" })
    }

    /// The same without hooks for tracked values.
    pub fn without_tracking(&self) -> Self {
        Self { library: self.library.clone(), options: ",tracking=off" }
    }
}

/// A service that is ready.
#[derive(Debug)]
pub struct Started {
    /// Its process.
    pub service: Service,
    /// From its start to its first answer, with a resolution of 20 ms.
    pub start_up: Duration,
    /// Where its driver listens, and the secret.
    pub driver: Option<(String, String)>,
}

/// Starts the jar, with the agent when there is one.
pub fn start(arguments: &OverheadArguments, agent: Option<&Agent>, folder: &Path) -> Result<Started> {
    let port = free_port()?;
    let mut command = Command::new("java");
    let mut driver = None;
    if let Some(Agent { library, options }) = agent {
        let address = format!("127.0.0.1:{}", free_port()?);
        let include = arguments.packages.join(";");
        let library = library.display();
        command.arg(format!("-agentpath:{library}=listen={address},token={TOKEN},include={include}{options}"));
        driver = Some((address, TOKEN.to_owned()));
    }
    let jar = arguments.jar.canonicalize().with_context(|| format!("no `{}`", arguments.jar.display()))?;
    command.arg("-jar").arg(jar).current_dir(folder);
    command.args(arguments.argument.iter().map(|argument| argument.replace("{port}", &port.to_string())));
    let began = Instant::now();
    let service = Service::start(&mut command, folder, "service", port, &arguments.schema_path)?;
    Ok(Started { service, start_up: began.elapsed(), driver })
}

/// Requests written as `GET /path` or `POST /path {"json": 1}`, for the service on `port`.
pub fn requests(texts: &[String], port: u16) -> Result<Vec<Recorded>> {
    texts.iter().map(|text| request(text, port).with_context(|| format!("no request: `{text}`"))).collect()
}

fn request(text: &str, port: u16) -> Option<Recorded> {
    let mut words = text.splitn(3, ' ');
    let (verb, path) = (words.next()?, words.next()?);
    let body = words.next().unwrap_or_default();
    let content = match body.len() {
        0 => String::new(),
        length => format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
    };
    let head = format!("{verb} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\naccept: */*\r\n{content}\r\n");
    Some(Recorded { head: head.into_bytes(), body: body.into(), is_head: verb == "HEAD", ids: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::request;

    #[test]
    fn a_body_comes_with_its_length_and_type() {
        let made = request(r#"POST /a {"b": 1}"#, 80).expect("verb, path and body");
        assert_eq!(made.body, br#"{"b": 1}"#);
        assert!(String::from_utf8_lossy(&made.head).contains("content-length: 8\r\n"));
        assert!(request("GET", 80).is_none());
    }
}
