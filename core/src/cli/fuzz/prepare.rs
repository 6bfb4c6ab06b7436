//! From a plan to a campaign that can start: service up, schema loaded, operations chosen, users logged in.

use crate::action::UserIdx;
use crate::cli::{CliError, Interrupt, OutputFolder, Settings, exec_error, tell};
use crate::driver::Driver;
use crate::exec::{BAD_REQUEST, Client, HttpSettings, Resetter, Service, Stop, Sut, Users, wants_tls};

use super::Campaign;
use super::changed;
use super::interface::{Finder, Interface, Missing};
use super::plan::Plan;
use super::ready::{Ready, unless_ended};

/// Everything a search needs.
pub fn prepare<'a>(
    settings: &'a Settings,
    plan: Plan,
    folder: OutputFolder,
    interrupt: &Interrupt,
) -> Result<Campaign<'a>, CliError> {
    let stop = interrupt.stop();
    let Plan { mut changes, schema, users, start } = plan;
    let mut ready = Ready::new(settings, start.as_ref(), interrupt)?;
    let jar = start.as_ref().and_then(|start| start.application.as_ref()).map(|application| &application.jar);
    let finder = Finder { settings, users: &users, folder: &folder, jar, stop: &stop };
    let mut found = finder.find(&mut ready, schema, changes.as_mut());
    if let (Err(Missing { others: Some(others), .. }), Some(start)) = (&found, &start)
        && settings.packages.is_empty()
    {
        ready = ready.with(settings, start, others, interrupt)?;
        found = finder.find(&mut ready, None, changes.as_mut());
    }
    let Interface { api, left_out, base_url } = found.map_err(|missing| missing.error)?;
    let Ready { sut, driver, http, .. } = ready;
    let http = HttpSettings { base_url: Some(base_url), ..http };
    let mut service = service(settings, &http, (sut, driver, users), stop)?;
    let is_quiet = settings.output.quiet;
    let preferred = changes.as_ref().map(|changes| changed::changed(changes, service.driver.as_mut(), &api, is_quiet));
    let preferred = preferred.unwrap_or_default();
    Ok(Campaign { settings, folder, api, left_out, service, changes, preferred })
}

/// The service at its base URL with all users logged in, as it is before a test, with its process and what measures it,
/// where restive has them.
fn service(
    settings: &Settings,
    http: &HttpSettings,
    (sut, driver, mut users): (Option<Sut>, Option<Driver>, Users),
    stop: Stop,
) -> Result<Service, CliError> {
    let (client, status) = probe(http, &stop).map_err(|error| unless_ended(error, sut.as_ref()))?;
    if status == Some(BAD_REQUEST) && wants_tls(client.base_url(), &stop).map_err(|error| exec_error(&error))? {
        let url = client.base_url().replacen("http", "https", 1);
        tell(&format!("warning: calls without TLS are refused, and those with it are answered: `--url {url}`\n"));
    }
    log_in(&mut users, &client)?;
    let mut resetter = Resetter::new(&settings.reset, &client).map_err(|error| exec_error(&error))?;
    let mut service = Service { sut, driver, ..Service::new(client, users, stop) };
    resetter.reset(&service.client, service.sut.as_mut()).map_err(|error| exec_error(&error))?;
    service.resetter = resetter;
    Ok(service)
}

/// What calls the service, and the status that it answered with where that is known.
pub(super) fn probe(http: &HttpSettings, stop: &Stop) -> Result<(Client, Option<u16>), CliError> {
    let client = Client::new(http, stop).map_err(|error| exec_error(&error))?;
    let status = client.probe().map_err(|error| exec_error(&error))?;
    Ok((client, status))
}

/// All users, each logged in once, so that wrong credentials show before the search.
fn log_in(users: &mut Users, client: &Client) -> Result<(), CliError> {
    for idx in 0..users.len() {
        let user_idx = UserIdx(u16::try_from(idx).expect("user numbers fit in 16 bits"));
        users.credentials(user_idx, client).map_err(|error| exec_error(&error))?;
    }
    Ok(())
}
