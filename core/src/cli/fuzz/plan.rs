//! What files tell of a campaign, before anything is started or written: a mistake in them costs no waiting, and moves no
//! earlier results aside.

use std::path::Path;

use crate::changes::Changes;
use crate::cli::start::{Start, StartSource};
use crate::cli::{CliError, Interrupt, SchemaSource, Settings, exec_error, schema_error};
use crate::exec::{Stop, Users};

use super::changed;
use super::fetch::Fetcher;
use super::interface::{Loaded, load};

/// What a campaign is to begin with.
#[derive(Debug)]
pub(super) struct Plan {
    /// What changed, where the user wants to know.
    pub(super) changes: Option<Changes>,
    /// The schema, where it is a file.
    pub(super) schema: Option<Loaded>,
    /// The users, none of them logged in.
    pub(super) users: Users,
    /// How the service is started; none when it runs already.
    pub(super) start: Option<Start>,
}

impl Plan {
    /// Reads all files that `settings` name.
    ///
    /// # Errors
    /// When one of them is not there or is not what it should be, or there is no Java for a jar.
    pub(super) fn read(settings: &Settings, interrupt: &Interrupt) -> Result<Self, CliError> {
        let changes = changed::changes(settings)?;
        let users = Users::load(&settings.auth, settings.search.rng_seed).map_err(|error| exec_error(&error))?;
        let schema = schema_file(settings, &users, &interrupt.stop())?;
        let start = Start::plan(&start_source(settings, &settings.output.logs()))?;
        Ok(Self { changes, schema, users, start })
    }
}

/// The interface that a file describes; none where it is asked of the service, or of it and the service.
fn schema_file(settings: &Settings, users: &Users, stop: &Stop) -> Result<Option<Loaded>, CliError> {
    match &settings.schema {
        Some(source @ SchemaSource::File(_)) => {
            let fetcher = Fetcher { http: &settings.http, server: None, users, stop };
            if settings.driver.discovers {
                // Filters may name operations that are yet to be discovered.
                let read = fetcher.fetch(&source.to_string(), &[])?;
                return read.map(|_| None).map_err(|error| schema_error(&error));
            }
            Ok(Some((source.clone(), load(settings, fetcher, source, &[])?)))
        }
        Some(SchemaSource::Url(_)) | None => Ok(None),
    }
}

/// What the settings say of a service that is started.
pub(super) fn start_source<'a>(settings: &'a Settings, logs: &'a Path) -> StartSource<'a> {
    StartSource {
        sut: settings.sut.as_ref(),
        jar: settings.jar.as_ref(),
        packages: &settings.packages,
        base_url: settings.http.base_url.as_deref(),
        logs,
        quiet: settings.output.quiet,
    }
}
