//! Secrets that programs of one machine know each other by.

use restive_driver_protocol::Token;
use ring::rand::{SecureRandom, SystemRandom};

use super::CliError;

/// A secret that no other process of this machine can guess.
pub(super) fn fresh_token() -> Result<Token, CliError> {
    let mut secret = [0_u8; 16];
    let drawn = SystemRandom::new().fill(&mut secret);
    drawn.map_err(|_| CliError::environment("the system gives no random numbers, which tokens are made of"))?;
    Ok(Token::new(format!("{:032x}", u128::from_le_bytes(secret))))
}
