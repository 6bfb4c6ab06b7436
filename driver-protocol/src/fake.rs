//! A driver without a service: it answers from a script. For tests of the core.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};

use crate::cell::{COVERED, cell_of_closeness};
use crate::connect::Token;
use crate::error::{Error, ErrorCode};
use crate::message::{
    Change, DriverHello, Feedback, Names, Origin, Report, Request, Routes, StartTest, TestNumber, Unit, Units, UnitsFrom,
    capability,
};
use crate::serve::{Answer, End, Handler, Patience, Session};

/// The action a script is asked about.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Test the action belongs to.
    pub test: TestNumber,
    /// Position of the action in its test.
    pub index: u32,
    /// Actions of all tests before this one.
    pub actions_before: usize,
    /// Values the core tracks.
    pub track: Vec<String>,
}

/// What an action reaches. Closeness in [0, 1], 1 = covered.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Name and closeness of targets.
    pub targets: Vec<(String, f64)>,
    /// Name of the line target that was executed last. It need not be among the targets.
    pub last_statement: Option<String>,
    /// Anything else; its targets, names and origin are filled in by the driver.
    pub rest: Feedback,
}

impl Reached {
    /// Only targets.
    pub fn targets(targets: &[(&str, f64)]) -> Self {
        Self { targets: targets.iter().map(|&(name, closeness)| (name.to_owned(), closeness)).collect(), ..Self::default() }
    }
}

/// How a driver stops working.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The driver refuses with an error after which it closes the connection.
    Close,
    /// The driver refuses every request from then on and keeps the connection.
    Refuse,
}

type Answering = Box<dyn FnMut(&Moment) -> Reached + Send>;

/// What the driver answers.
pub struct Script {
    boot: Reached,
    actions: Answering,
    units: Vec<Unit>,
    routes: Routes,
    fault: Option<(usize, Fault)>,
    /// Actions given one by one; used up before `actions` is asked.
    list: Vec<Reached>,
}

impl Default for Script {
    fn default() -> Self {
        Self::answering(|_| Reached::default())
    }
}

impl Script {
    /// A script that decides at each action.
    pub fn answering(actions: impl FnMut(&Moment) -> Reached + Send + 'static) -> Self {
        let unit = Unit { name: "com.acme.Foo".to_owned(), lines: 1, branches: 2, degraded: String::new() };
        Self {
            boot: Reached::default(),
            actions: Box::new(actions),
            units: vec![unit],
            routes: Routes::default(),
            fault: None,
            list: Vec::new(),
        }
    }

    /// Adds what the next action reaches, counted over all tests.
    #[must_use]
    pub fn action(mut self, targets: &[(&str, f64)]) -> Self {
        self.list.push(Reached::targets(targets));
        self
    }

    /// What was reached before the first test.
    #[must_use]
    pub fn boot(mut self, targets: &[(&str, f64)]) -> Self {
        self.boot = Reached::targets(targets);
        self
    }

    /// The measured units; none makes a driver of a process that is not the service.
    #[must_use]
    pub fn units(mut self, units: Vec<Unit>) -> Self {
        self.units = units;
        self
    }

    /// The routes that frameworks have registered; none unless said.
    #[must_use]
    pub fn routes(mut self, routes: Routes) -> Self {
        self.routes = routes;
        self
    }

    /// Stops working at request number `request` (0 = the first after the hello).
    #[must_use]
    pub fn fault(mut self, request: usize, fault: Fault) -> Self {
        self.fault = Some((request, fault));
        self
    }
}

/// A scripted driver at work in a thread.
#[derive(Debug)]
pub struct FakeDriver {
    thread: JoinHandle<Result<Vec<Request>, Error>>,
}

/// The hello of a scripted driver.
pub fn hello(token: &Token) -> DriverHello {
    DriverHello {
        token: token.text().to_owned(),
        language: "jvm".to_owned(),
        driver: "fake".to_owned(),
        runtime: "none".to_owned(),
        process: std::process::id(),
        command: "com.acme.Main".to_owned(),
        capabilities: [capability::LINES, capability::BRANCHES, capability::LAST_STATEMENT, capability::HINTS]
            .map(str::to_owned)
            .to_vec(),
        units: 0,
        include: vec!["com.acme.".to_owned()],
    }
}

impl FakeDriver {
    /// Calls the core at `address` and answers by `script`.
    pub fn connect(address: SocketAddr, token: Token, script: Script) -> Self {
        let session = move || Session::connect(&address.to_string(), hello(&token), Patience::default());
        Self { thread: thread::spawn(move || answer_all(session()?, script)) }
    }

    /// Waits for one call of a core and answers by `script`; gives the address to call as well.
    pub fn listen(token: Token, script: Script) -> Result<(SocketAddr, Self), Error> {
        let io = |source| Error::Io { doing: "listen for the core", source };
        let listener = TcpListener::bind("127.0.0.1:0").map_err(io)?;
        let address = listener.local_addr().map_err(io)?;
        let thread = thread::spawn(move || {
            let (stream, _caller) = listener.accept().map_err(io)?;
            answer_all(Session::accept(stream, hello(&token), Patience::default())?, script)
        });
        Ok((address, Self { thread }))
    }

    /// Waits until the core is gone; gives what it asked.
    ///
    /// # Panics
    ///
    /// When the script did.
    pub fn join(self) -> Result<Vec<Request>, Error> {
        self.thread.join().expect("the script does not panic")
    }
}

fn answer_all(session: Session, mut script: Script) -> Result<Vec<Request>, Error> {
    script.list.reverse();
    let mut handler = FakeHandler::new(script);
    match session.serve(&mut handler) {
        Ok(End::Shutdown | End::Gone) => Ok(handler.asked),
        Err(error) => Err(error),
    }
}

/// The rules of targets, ids and names that every driver keeps to, on a script.
struct FakeHandler {
    script: Script,
    ids: BTreeMap<String, u32>,
    names: Vec<String>,
    named: usize,
    /// Cell of each id in the current test.
    cells: Vec<i32>,
    moment: Option<Moment>,
    test: TestNumber,
    actions: usize,
    booted: bool,
    asked: Vec<Request>,
    feedback: Feedback,
}

impl FakeHandler {
    fn new(script: Script) -> Self {
        Self {
            script,
            ids: BTreeMap::new(),
            names: Vec::new(),
            named: 0,
            cells: Vec::new(),
            moment: None,
            test: TestNumber(0),
            actions: 0,
            booted: false,
            asked: Vec::new(),
            feedback: Feedback::default(),
        }
    }

    fn id(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = u32::try_from(self.names.len()).expect("scripts are short");
        self.ids.insert(name.to_owned(), id);
        self.names.push(name.to_owned());
        self.cells.push(0);
        id
    }

    fn report(&mut self, reached: Reached, origin: Origin, action: u32) {
        let mut changed: BTreeMap<u32, i32> = BTreeMap::new();
        for (name, closeness) in &reached.targets {
            let (id, cell) = (self.id(name), cell_of_closeness(*closeness));
            let known = &mut self.cells[id as usize];
            if cell > *known {
                *known = cell;
                changed.insert(id, cell);
            }
        }
        let last_statement = reached.last_statement.map(|name| self.id(&name));
        self.feedback = Feedback {
            changed: changed.into_iter().map(|(id, cell)| Change { id, cell }).collect(),
            origin,
            action,
            names: Names {
                first: u32::try_from(self.named).expect("scripts are short"),
                texts: self.names[self.named..].to_vec(),
            },
            last_statement: last_statement.or(reached.rest.last_statement),
            ..reached.rest
        };
        self.named = self.names.len();
    }

    fn start_test(&mut self, test: &StartTest) {
        let boot = std::mem::take(&mut self.script.boot);
        let origin = if self.booted { Origin::Between } else { Origin::Boot };
        self.report(boot, origin, 0);
        (self.booted, self.test, self.moment) = (true, test.number, None);
        self.forget(test.report);
    }

    fn forget(&mut self, report: Report) {
        for cell in &mut self.cells {
            if report == Report::All || *cell < COVERED {
                *cell = 0;
            }
        }
    }

    fn end_action(&mut self) -> Answer<'_> {
        let Some(moment) = self.moment.take() else {
            return Answer::refused(ErrorCode::NOT_NOW, "no action to end");
        };
        let reached = self.script.list.pop().unwrap_or_else(|| (self.script.actions)(&moment));
        self.report(reached, Origin::Action, moment.index);
        Answer::Feedback(&self.feedback)
    }

    fn units(&self, from: UnitsFrom) -> Units {
        let wanted = self.script.units.iter().skip(from.known as usize).take(from.limit as usize);
        Units {
            measured: u32::try_from(self.script.units.len()).expect("scripts are short"),
            targets: u32::try_from(self.names.len()).expect("scripts are short"),
            units: wanted.cloned().collect(),
            ..Units::default()
        }
    }
}

impl Handler for FakeHandler {
    fn answer(&mut self, request: Request) -> Answer<'_> {
        if let Some((_, fault)) = self.script.fault.filter(|(at, _)| *at <= self.asked.len()) {
            return match fault {
                Fault::Close => Answer::refused(ErrorCode::MALFORMED, "the script ends here"),
                Fault::Refuse => Answer::refused(ErrorCode::FAILED, "the script refuses"),
            };
        }
        self.asked.push(request.clone());
        match request {
            Request::StartTest(test) => {
                self.start_test(&test);
                Answer::Feedback(&self.feedback)
            }
            Request::StartAction(action) => {
                let moment = Moment { test: self.test, index: action.index, actions_before: self.actions, track: action.track };
                self.moment = Some(moment);
                self.actions += 1;
                Answer::Done
            }
            Request::EndAction => self.end_action(),
            Request::Reset => {
                self.forget(Report::All);
                Answer::Done
            }
            Request::Units(from) => Answer::Units(self.units(from)),
            Request::Routes => Answer::Routes(self.script.routes.clone()),
            Request::Hello(_) | Request::Kill | Request::Shutdown => Answer::Done,
        }
    }
}
