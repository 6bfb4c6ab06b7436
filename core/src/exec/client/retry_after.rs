//! The `Retry-After` header (RFC 9110 10.2.3): seconds or a date.

use std::time::{Duration, SystemTime};

/// How long `value` asks to wait at `now`; none when it is neither a number of seconds nor a date.
pub(crate) fn parse(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit are a wait without end.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::parse;

    #[test]
    fn seconds_and_dates_are_understood() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_770);
        assert_eq!(parse(" 7 ", now), Some(Duration::from_secs(7)));
        assert_eq!(parse("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(Duration::from_secs(7)));
        assert_eq!(parse("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(parse("99999999999999999999999", now), Some(Duration::from_secs(u64::MAX)));
    }

    #[test]
    fn anything_else_asks_for_nothing() {
        for value in ["", "soon", "-1", "1.5", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(parse(value, UNIX_EPOCH), None, "{value}");
        }
    }
}
