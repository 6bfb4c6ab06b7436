//! Whose credentials calls are sent with: users of Web Fuzzing Commons auth files, `--bearer` and `--basic`.
//!
//! [`Users::load`] reads the settings, [`Users::credentials`] logs in on first use. Secrets appear neither in messages
//! nor in debug output.

mod endpoint;
mod fields;
mod file;
mod login;
mod signup;
mod specification;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::action::UserIdx;
use crate::random::Random;

use super::credentials::header_field;
use super::{AuthSettings, Client, Credentials, Error};
use endpoint::{Values, fill};
use signup::Creation;
use specification::UserSpec;

/// Stream of the random source that names of created users come from.
const NAME_STREAM: u64 = 0x5573_6572;
/// A creation that is refused is tried with that many different names.
const MAX_NAMES: usize = 10;
/// A login that failed that often in a row is not tried again until [`Users::forget`].
const MAX_FAILURES: u8 = 3;
/// Renewals in a row that did not help; after them only a long row of refusals is taken for an expiry.
const MAX_USELESS_RENEWALS: u8 = 3;
/// That long row.
const LONG_ROW: u32 = 20;

/// All users with their credentials.
pub struct Users {
    users: Vec<User>,
    random: Random,
}

/// A user and what is known of their credentials.
struct User {
    spec: UserSpec,
    /// Values of placeholders, kept over restarts of the service.
    values: Option<Values>,
    credentials: Option<Arc<Credentials>>,
    /// Whether an answer of 2xx came since the last login.
    worked: bool,
    /// Whether the last login was a renewal that has not helped yet.
    is_renewed: bool,
    useless_renewals: u8,
    /// Answers of 401 since the last 2xx.
    refusals: u32,
    failures: u8,
}

impl Users {
    /// Reads all users: those of the file in its order, then `--bearer`, then `--basic`.
    ///
    /// `rng_seed` determines the names of created users.
    ///
    /// # Errors
    /// When the file cannot be read or used, or a value cannot be sent in a header.
    pub fn load(settings: &AuthSettings, rng_seed: u64) -> Result<Self, Error> {
        let mut specs = settings.file.as_ref().map(file::load).transpose()?.unwrap_or_default();
        if let Some(token) = &settings.bearer {
            specs.push(authorization("bearer", &format!("Bearer {token}")));
        }
        if let Some(pair) = &settings.basic {
            if !pair.contains(':') {
                let reason = "found no `:`, wanted `user:password`".to_owned();
                return Err(Error::AuthSettings { place: "`--basic`".to_owned(), reason });
            }
            specs.push(authorization("basic", &format!("Basic {}", STANDARD.encode(pair))));
        }
        if specs.len() > usize::from(u16::MAX) {
            let reason = format!("{} users are too many", specs.len());
            return Err(Error::AuthSettings { place: "the auth file".to_owned(), reason });
        }
        for (name, value) in specs.iter().flat_map(|spec| &spec.fixed_headers) {
            header_field(name, value)?;
        }
        Ok(Self { users: specs.into_iter().map(User::new).collect(), random: Random::new(rng_seed, NAME_STREAM) })
    }

    /// Adds a user whose credentials are known, in place of one of that name.
    pub fn give(&mut self, name: &str, credentials: Credentials) {
        let spec = UserSpec { name: name.to_owned(), ..UserSpec::default() };
        let given = User { credentials: Some(Arc::new(credentials)), ..User::new(spec) };
        match self.users.iter_mut().find(|user| user.spec.name == name) {
            Some(user) => *user = given,
            None => self.users.push(given),
        }
    }

    /// Names in the order of [`UserIdx`].
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.users.iter().map(|user| user.spec.name.as_str())
    }

    /// Name and value of the header fields that each user has without a login, in the order of [`UserIdx`].
    pub fn fixed_headers(&self) -> impl Iterator<Item = &[(String, String)]> {
        self.users.iter().map(|user| user.spec.fixed_headers.as_slice())
    }

    /// Number of users.
    pub fn len(&self) -> usize {
        self.users.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.users.is_empty()
    }

    /// The credentials of a user; on first use the user is created where asked for, and logged in.
    ///
    /// # Errors
    /// [`Error::Login`] when that fails; after three failures in a row without another call.
    ///
    /// # Panics
    /// When `user_idx` is not one of ours.
    pub fn credentials(&mut self, user_idx: UserIdx, client: &Client) -> Result<Arc<Credentials>, Error> {
        let user = &mut self.users[usize::from(user_idx.0)];
        if let Some(credentials) = &user.credentials {
            return Ok(Arc::clone(credentials));
        }
        if user.failures >= MAX_FAILURES {
            return Err(user.given_up());
        }
        match user.obtain(client, &mut self.random) {
            Ok(credentials) => {
                user.failures = 0;
                Ok(Arc::clone(user.credentials.insert(Arc::new(credentials))))
            }
            Err(error) => {
                user.failures += 1;
                Err(error)
            }
        }
    }

    /// Every text of the users' credentials that no output may show, as far as known by now; ordered.
    pub fn secrets(&self) -> Vec<String> {
        let sent = self.users.iter().filter_map(|user| user.credentials.as_ref()).flat_map(|sent| sent.secrets());
        let written = self.users.iter().flat_map(|user| user.spec.secrets());
        let all: BTreeSet<String> = sent.chain(written).filter(|secret| secret.len() >= 4).map(str::to_owned).collect();
        all.into_iter().collect()
    }

    /// Forgets what logins gave, because the service was started anew or reset; created users keep their names.
    pub fn forget(&mut self) {
        for user in self.users.iter_mut().filter(|user| user.spec.login.is_some() || user.spec.signup.is_some()) {
            user.credentials = None;
            user.failures = 0;
            user.is_renewed = false;
            user.worked = false;
        }
    }

    /// Takes note of the status of a call sent with a user's credentials; true when they seem to have expired.
    ///
    /// That is so when a 401 comes after an earlier success. The credentials are dropped then, and sending the call
    /// again with those that [`Users::credentials`] gives next is worthwhile. Once that has not helped three times in a
    /// row, only every twentieth 401 without a success in between counts.
    pub fn has_expired(&mut self, user_idx: UserIdx, status: u16) -> bool {
        self.users[usize::from(user_idx.0)].has_expired(status)
    }
}

impl User {
    fn new(spec: UserSpec) -> Self {
        Self {
            spec,
            values: None,
            credentials: None,
            worked: false,
            is_renewed: false,
            useless_renewals: 0,
            refusals: 0,
            failures: 0,
        }
    }

    /// Creates the user where asked for, and logs in.
    fn obtain(&mut self, client: &Client, random: &mut Random) -> Result<Credentials, Error> {
        let Some(signup) = self.spec.signup.clone() else { return self.assemble(client, &Values::new()) };
        if let Some(values) = self.values.clone() {
            // After a reset the user has to be created again; without one they are still there and creation is refused.
            signup::create(client, &self.spec.name, &signup, &values)?;
            if let Ok(credentials) = self.assemble(client, &values) {
                return Ok(credentials);
            }
        }
        let mut status = 0;
        for _ in 0..MAX_NAMES {
            let values = signup::generate(&signup, random);
            match signup::create(client, &self.spec.name, &signup, &values)? {
                Creation::Done => {
                    self.values = Some(values.clone());
                    return self.assemble(client, &values);
                }
                Creation::Refused(with) => status = with,
            }
        }
        Err(signup::refused(&self.spec.name, &signup, status))
    }

    /// Credentials of fixed headers and a login, placeholders filled in.
    fn assemble(&self, client: &Client, values: &Values) -> Result<Credentials, Error> {
        let mut credentials = Credentials::default();
        for (name, value) in &self.spec.fixed_headers {
            credentials.add_header(name, &fill(value, values))?;
        }
        if let Some(login) = &self.spec.login {
            credentials.extend(login::log_in(client, &self.spec.name, login, values)?);
        }
        Ok(credentials)
    }

    fn has_expired(&mut self, status: u16) -> bool {
        if matches!(status, 200..=299) {
            if std::mem::take(&mut self.is_renewed) {
                self.useless_renewals = 0;
            }
            self.worked = true;
            self.refusals = 0;
        }
        if status != 401 || self.spec.login.is_none() {
            return false;
        }
        self.refusals += 1;
        if std::mem::take(&mut self.is_renewed) {
            // The call that was sent again: it is refused for another reason.
            self.useless_renewals = self.useless_renewals.saturating_add(1);
            return false;
        }
        // Some operations refuse a user always: they must not cause a login each.
        let is_likely = self.useless_renewals < MAX_USELESS_RENEWALS || self.refusals.is_multiple_of(LONG_ROW);
        if self.worked && is_likely {
            self.credentials = None;
            self.is_renewed = true;
        }
        self.is_renewed
    }

    fn given_up(&self) -> Error {
        let reason = format!("given up after {} failures", self.failures);
        Error::Login { user: self.spec.name.clone(), url: "its endpoint".to_owned(), reason }
    }
}

/// Names only: everything else may be secret.
impl fmt::Debug for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

fn authorization(name: &str, value: &str) -> UserSpec {
    let fixed_headers = vec![("Authorization".to_owned(), value.to_owned())];
    UserSpec { name: name.to_owned(), fixed_headers, ..UserSpec::default() }
}

#[cfg(test)]
mod tests;
