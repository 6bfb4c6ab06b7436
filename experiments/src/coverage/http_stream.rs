//! Reads the start lines out of one direction of an HTTP/1 connection, fed as the bytes come by.
//!
//! It only watches: a stream that it cannot follow is given up and said to be so, and goes on unread.

/// Longest start or header line followed.
const MAX_LINE: usize = 1 << 20;

/// What a direction carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Requests: a body only when the header says so.
    Requests,
    /// Answers: a body unless the header or the status says otherwise.
    Answers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    StartLine,
    Header,
    Body(u64),
    ChunkSize,
    Chunk(u64),
    ChunkEnd,
    Trailer,
    UntilClose,
    Lost,
}

/// A reader of one direction of one connection.
#[derive(Debug)]
pub struct HttpStream {
    direction: Direction,
    state: State,
    line: Vec<u8>,
    start_line: String,
    length: Option<u64>,
    chunked: bool,
}

impl HttpStream {
    /// A reader at the start of a connection.
    pub fn new(direction: Direction) -> Self {
        let (line, start_line) = (Vec::new(), String::new());
        Self { direction, state: State::StartLine, line, start_line, length: None, chunked: false }
    }

    /// Takes further bytes; `message` is called at the end of each header with the start line and says whether a body
    /// can follow.
    pub fn feed(&mut self, mut bytes: &[u8], mut message: impl FnMut(&str) -> bool) {
        while !bytes.is_empty() {
            bytes = match self.state {
                State::UntilClose | State::Lost => return,
                State::Body(left) | State::Chunk(left) => self.skip(bytes, left),
                _ => self.take_line(bytes, &mut message),
            };
        }
    }

    fn skip<'a>(&mut self, bytes: &'a [u8], left: u64) -> &'a [u8] {
        let n_skipped = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        let left = left - n_skipped as u64;
        self.state = match (self.state, left) {
            (State::Chunk(_), 0) => State::ChunkEnd,
            (State::Chunk(_), _) => State::Chunk(left),
            (_, 0) => State::StartLine,
            _ => State::Body(left),
        };
        &bytes[n_skipped..]
    }

    fn take_line<'a>(&mut self, bytes: &'a [u8], message: &mut impl FnMut(&str) -> bool) -> &'a [u8] {
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            self.line.extend_from_slice(bytes);
            if self.line.len() > MAX_LINE {
                self.state = State::Lost;
            }
            return &[];
        };
        self.line.extend_from_slice(&bytes[..end]);
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).trim_end_matches('\r').to_owned();
        self.state = self.after_line(line, message);
        &bytes[end + 1..]
    }

    fn after_line(&mut self, line: String, message: &mut impl FnMut(&str) -> bool) -> State {
        match self.state {
            // Empty lines before a start line are allowed.
            State::StartLine | State::Trailer if line.is_empty() => State::StartLine,
            State::StartLine => {
                (self.start_line, self.length, self.chunked) = (line, None, false);
                State::Header
            }
            State::Header if line.is_empty() => self.after_header(message),
            State::Header => {
                self.take_header(&line.to_ascii_lowercase());
                State::Header
            }
            State::ChunkSize => match u64::from_str_radix(line.split(';').next().unwrap_or_default().trim(), 16) {
                Ok(0) => State::Trailer,
                Ok(size) => State::Chunk(size),
                Err(_) => State::Lost,
            },
            State::ChunkEnd => State::ChunkSize,
            other => other,
        }
    }

    fn take_header(&mut self, line: &str) {
        if let Some(value) = line.strip_prefix("content-length:") {
            self.length = value.trim().parse().ok();
        } else if let Some(value) = line.strip_prefix("transfer-encoding:") {
            self.chunked = value.contains("chunked");
        }
    }

    fn after_header(&mut self, message: &mut impl FnMut(&str) -> bool) -> State {
        let body_can_follow = message(&self.start_line);
        match (body_can_follow, self.chunked, self.length) {
            (false, ..) | (true, false, Some(0)) => State::StartLine,
            (true, true, _) => State::ChunkSize,
            (true, false, Some(length)) => State::Body(length),
            (true, false, None) if self.direction == Direction::Requests => State::StartLine,
            (true, false, None) => State::UntilClose,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start lines of a stream, the same however it is cut into pieces.
    fn start_lines(direction: Direction, stream: &str, bodiless: &str) -> Vec<String> {
        let read = |size: usize| {
            let (mut found, mut reader) = (Vec::new(), HttpStream::new(direction));
            for piece in stream.as_bytes().chunks(size) {
                reader.feed(piece, |line| {
                    found.push(line.to_owned());
                    !line.contains(bodiless)
                });
            }
            found
        };
        let whole = read(usize::MAX);
        assert!((1..20).all(|size| read(size) == whole));
        whole
    }

    #[test]
    fn bodies_of_requests_are_passed_over() {
        let stream = "POST /a HTTP/1.1\r\nContent-Length: 17\r\n\r\nGET /no HTTP/1.1\nGET /b HTTP/1.1\r\n\r\n\
                      PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nGET \r\n0\r\nA: b\r\n\r\nGET /d HTTP/1.1\r\n\r\n";
        let found = start_lines(Direction::Requests, stream, "nothing");
        assert_eq!(found, ["POST /a HTTP/1.1", "GET /b HTTP/1.1", "PUT /c HTTP/1.1", "GET /d HTTP/1.1"]);
    }

    #[test]
    fn answers_without_length_last_until_the_end_unless_they_have_no_body() {
        let stream =
            "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 500";
        let found = start_lines(Direction::Answers, stream, " 204 ");
        assert_eq!(found, ["HTTP/1.1 204 No Content", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK"]);
    }

    #[test]
    fn a_broken_stream_is_given_up() {
        let stream = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nHTTP/1.1 200 OK\r\n\r\n";
        assert_eq!(start_lines(Direction::Answers, stream, "nothing").len(), 1);
    }
}
