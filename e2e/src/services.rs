//! The services that tests run `restive` against: the own demo shop and three third-party ones.
//!
//! Each third-party service is installed in a pinned version by its ecosystem's own tool, started on a free loopback
//! port with its data in the test's work folder, and stopped when dropped. None when its toolchain is missing.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::{self, JoinHandle};

use anyhow::Result;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::process::{Service, free_port};
use crate::toolchain::{available, maven_artifact, npm_package, python_environment, service_files};

/// Version of WireMock.
pub const WIREMOCK: &str = "org.wiremock:wiremock-standalone:3.13.2";

/// Version of the LoopBack example.
pub const LOOPBACK: &str = "@loopback/example-todo@6.0.0";

/// WireMock with its admin interface; the schema is at `/__admin/docs/swagger`.
pub fn wiremock(folder: &Path) -> Result<Option<Service>> {
    if !available(&["java", "mvn"])? {
        return Ok(None);
    }
    wiremock_with(folder, &[]).map(Some)
}

/// WireMock started with further arguments of the JVM.
pub fn wiremock_with(folder: &Path, jvm_args: &[String]) -> Result<Service> {
    let jar = maven_artifact(WIREMOCK)?;
    let (port, root) = (free_port()?, folder.join("wiremock-root"));
    fs::create_dir_all(&root)?;
    let mut command = Command::new("java");
    command.args(jvm_args).arg("-jar").arg(jar);
    command.args(["--bind-address", "127.0.0.1", "--disable-banner", "--port", &port.to_string()]);
    command.arg("--root-dir").arg(root);
    Service::start(&mut command, folder, "wiremock", port, "/__admin/health")
}

/// httpbin under gunicorn with threads, so that connections are kept alive; the schema (Swagger 2.0) is at `/spec.json`.
pub fn httpbin(folder: &Path) -> Result<Option<Service>> {
    if !available(&["python3"])? {
        return Ok(None);
    }
    let environment = python_environment("httpbin", &service_files().join("httpbin-requirements.txt"))?;
    let port = free_port()?;
    let mut command = Command::new(environment.join("bin/gunicorn"));
    command.args(["--bind", &format!("127.0.0.1:{port}"), "--worker-class", "gthread", "--threads", "4"]);
    command.args(["--keep-alive", "60", "--no-control-socket", "httpbin:app"]).current_dir(folder);
    Service::start(&mut command, folder, "httpbin", port, "/get").map(Some)
}

/// The LoopBack todo example with its data in memory; the schema is at `/openapi.json`.
pub fn loopback(folder: &Path) -> Result<Option<Service>> {
    if !available(&["node", "npm"])? {
        return Ok(None);
    }
    let installed = npm_package("loopback", LOOPBACK)?;
    // Node.js looks for packages from the start file upwards, so it is put beside them.
    let start = installed.join("start.js");
    fs::copy(service_files().join("loopback-start.js"), &start)?;
    let port = free_port()?;
    let mut command = Command::new("node");
    command.arg(start).env("PORT", port.to_string()).current_dir(folder);
    Service::start(&mut command, folder, "loopback", port, "/ping").map(Some)
}

/// The demo shop in this process, on a thread of its own; it stops when dropped.
#[derive(Debug)]
pub struct Demo {
    port: u16,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Demo {
    /// Starts it in its first state.
    pub fn start() -> Result<Self> {
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let port = listener.local_addr()?.port();
        let serve = async move {
            tokio::select! {
                result = restive_demo::serve(listener) => result.unwrap_or_else(|error| eprintln!("the demo stopped: {error}")),
                _ = stopped => {}
            }
        };
        let thread = thread::spawn(move || runtime.block_on(serve));
        Ok(Self { port, stop: Some(stop), thread: Some(thread) })
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its base URL, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The receiver is gone when serving failed, and then there is nothing to stop.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http;
    use crate::work::in_work_folder;

    type Start = fn(&Path) -> Result<Option<Service>>;

    fn assert_schema_is_served(name: &str, start: Start, path: &str) -> Result<()> {
        in_work_folder(name, |folder| {
            if let Some(service) = start(folder)? {
                assert_eq!(http::get(service.port(), path)?.status, 200);
            }
            Ok(())
        })
    }

    #[test]
    fn wiremock_serves_its_schema() -> Result<()> {
        assert_schema_is_served("start-wiremock", wiremock, "/__admin/docs/swagger")
    }

    #[test]
    fn httpbin_serves_its_schema() -> Result<()> {
        assert_schema_is_served("start-httpbin", httpbin, "/spec.json")
    }

    #[test]
    fn loopback_serves_its_schema() -> Result<()> {
        assert_schema_is_served("start-loopback", loopback, "/openapi.json")
    }

    #[test]
    fn the_demo_stops_when_dropped() -> Result<()> {
        let demo = Demo::start()?;
        let port = demo.port();
        assert_eq!(http::get(port, restive_demo::OPENAPI_PATH)?.status, 200);
        drop(demo);
        assert!(http::get(port, "/").is_err());
        Ok(())
    }
}
