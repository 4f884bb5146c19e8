//! The client against a referee in the same process, which speaks real gRPC and of which each test plays the part.

use std::future::Future;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, process};

use euchre_kit::wire::referee_service_server::{RefereeService, RefereeServiceServer};
use euchre_kit::wire::{self, Action, BotFrame, DecisionRequest, Hello, Notice, RefereeFrame, notice, reply};
use euchre_kit::{About, ActionKind, Answer, Bot, Exit, PhaseKind, Question, Settings, play};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio_stream::wrappers::{TcpListenerStream, UnboundedReceiverStream, UnixListenerStream};
use tonic::transport::Server;
use tonic::{Code, Request, Response, Status, Streaming};

/// A test that waits longer has found that something does not come.
const LIMIT: Duration = Duration::from_secs(120);

async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, what).await.expect("it came in time")
}

/// One stream of the bot.
struct Line {
    frames: Streaming<BotFrame>,
    out: UnboundedSender<Result<RefereeFrame, Status>>,
}

impl Line {
    /// Returns the bot's next frame; nothing once it has closed its side.
    async fn read(&mut self) -> Option<BotFrame> {
        soon(self.frames.message()).await.expect("the line holds")
    }

    /// Returns so many replies; they come in one frame, or in several on a busy machine.
    async fn replies(&mut self, number: usize) -> Vec<wire::Reply> {
        let mut replies = Vec::new();
        while replies.len() < number {
            replies.extend(self.read().await.expect("the bot closed its side").replies);
        }
        replies
    }

    fn write(&self, frame: RefereeFrame) {
        self.out.send(Ok(frame)).expect("the stream is open");
    }

    fn fail(self, code: Code) {
        self.out
            .send(Err(Status::new(code, "gone")))
            .expect("the stream is open");
    }

    fn ask(&self, requests: Vec<DecisionRequest>) {
        self.write(RefereeFrame {
            requests,
            ..RefereeFrame::default()
        });
    }

    fn tell(&self, told: notice::Notice) {
        let notices = vec![Notice { notice: Some(told) }];
        self.write(RefereeFrame {
            notices,
            ..RefereeFrame::default()
        });
    }

    /// Greets the bot; returns its Hello.
    async fn greet(&mut self, grace_milliseconds: u32) -> Hello {
        let hello = self.read().await.expect("the bot closed its side").hello;
        let welcome = wire::Welcome {
            protocol_version: 1,
            grace_milliseconds,
            ..wire::Welcome::default()
        };
        self.write(RefereeFrame {
            welcome: Some(welcome),
            ..RefereeFrame::default()
        });
        hello.expect("the first frame is Hello")
    }

    /// Sends the bot away, and waits until it has closed its side.
    async fn dismiss(mut self) {
        self.write(RefereeFrame {
            goodbye: Some(wire::Goodbye::default()),
            ..RefereeFrame::default()
        });
        assert_eq!(self.read().await, None);
    }
}

/// Every stream becomes a line of the test, or is refused.
struct Service {
    refuses: Option<Code>,
    lines: UnboundedSender<Line>,
    calls: Arc<AtomicUsize>,
    described: Arc<AtomicUsize>,
}

#[tonic::async_trait]
impl RefereeService for Service {
    type PlayStream = UnboundedReceiverStream<Result<RefereeFrame, Status>>;

    async fn play(&self, request: Request<Streaming<BotFrame>>) -> Result<Response<Self::PlayStream>, Status> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        if let Some(code) = self.refuses {
            return Err(Status::new(code, "not you"));
        }
        let (out, answers) = unbounded_channel();
        let frames = request.into_inner();
        // A test that has heard enough lets the bot find a stream that ends.
        let _ = self.lines.send(Line { frames, out });
        Ok(Response::new(UnboundedReceiverStream::new(answers)))
    }

    async fn list_variants(
        &self,
        _: Request<wire::ListVariantsRequest>,
    ) -> Result<Response<wire::ListVariantsResponse>, Status> {
        Err(Status::unimplemented("no bot asks for it"))
    }

    async fn describe_variant(
        &self,
        request: Request<wire::DescribeVariantRequest>,
    ) -> Result<Response<wire::DescribeVariantResponse>, Status> {
        self.described.fetch_add(1, Ordering::SeqCst);
        let variant = wire::Variant {
            id: request.into_inner().variant,
            seats: 4,
            ..wire::Variant::default()
        };
        Ok(Response::new(wire::DescribeVariantResponse { variant: Some(variant) }))
    }
}

/// A referee that a test speaks for.
struct Referee {
    address: String,
    folder: PathBuf,
    lines: UnboundedReceiver<Line>,
    calls: Arc<AtomicUsize>,
    described: Arc<AtomicUsize>,
    server: JoinHandle<Result<(), tonic::transport::Error>>,
}

impl Referee {
    /// Returns one that listens on a unix socket, and refuses every stream if it is to.
    fn open(refuses: Option<Code>) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let folder = env::temp_dir().join(format!("euchre-kit-{}-{number}", process::id()));
        fs::create_dir(&folder).unwrap();
        let socket = folder.join("referee.sock");
        let listener = UnixListenerStream::new(UnixListener::bind(&socket).unwrap());
        Self::serve(format!("unix:{}", socket.display()), folder, refuses, |service| {
            tokio::spawn(Server::builder().serve_with_incoming(service, listener))
        })
    }

    /// Returns one that listens on a port.
    async fn open_port() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        Self::serve(address, PathBuf::new(), None, |service| {
            tokio::spawn(Server::builder().serve_with_incoming(service, TcpListenerStream::new(listener)))
        })
    }

    fn serve(
        address: String,
        folder: PathBuf,
        refuses: Option<Code>,
        start: impl FnOnce(RefereeServiceServer<Service>) -> JoinHandle<Result<(), tonic::transport::Error>>,
    ) -> Self {
        let (sender, lines) = unbounded_channel();
        let (calls, described) = <(Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        let service = Service {
            refuses,
            lines: sender,
            calls: calls.clone(),
            described: described.clone(),
        };
        Self {
            address,
            folder,
            lines,
            calls,
            described,
            server: start(RefereeServiceServer::new(service)),
        }
    }

    /// Returns the next stream of the bot.
    async fn line(&mut self) -> Line {
        soon(self.lines.recv()).await.expect("the referee is there")
    }

    /// Starts a bot that plays here, on a thread of its own.
    fn start(&self, bot: impl Bot, strict: bool) -> JoinHandle<Exit> {
        let settings = Settings {
            address: self.address.clone(),
            token: "seat 3".into(),
            name: "tested".into(),
            seed: 1,
            strict,
        };
        tokio::task::spawn_blocking(|| play(about(), settings, bot))
    }

    /// Starts the heuristic bot as a process that plays here; returns its process number and its end.
    fn start_process(&self) -> (u32, JoinHandle<Output>) {
        let child = program().env("EUCHRE_ADDRESS", &self.address).spawn().unwrap();
        let number = child.id();
        (
            number,
            tokio::task::spawn_blocking(|| child.wait_with_output().unwrap()),
        )
    }
}

impl Drop for Referee {
    fn drop(&mut self) {
        self.server.abort();
        if self.folder.is_dir() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The heuristic bot, told nothing.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heuristic"));
    command.env_clear().stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn about() -> About {
    About {
        name: "kit".into(),
        version: "7".into(),
        tables: 2,
        variants: vec!["some-game".into()],
    }
}

fn question(decision_id: u64, options: usize) -> DecisionRequest {
    let option = Action {
        kind: ActionKind::Play.into(),
        ..Action::default()
    };
    DecisionRequest {
        decision_id,
        variant: "some-game".into(),
        phase: PhaseKind::Play.into(),
        options: vec![option; options],
        ..DecisionRequest::default()
    }
}

/// Returns decisions and the options chosen.
fn chosen(replies: &[wire::Reply]) -> Vec<(u64, u32)> {
    let option = |reply: &wire::Reply| match reply.choice {
        Some(reply::Choice::Option(option)) => option,
        ref other => panic!("{other:?}"),
    };
    replies.iter().map(|reply| (reply.decision_id, option(reply))).collect()
}

struct LastOption;

impl Bot for LastOption {
    fn play(&mut self, q: &Question) -> Answer {
        Answer::option(q.options.len() - 1)
    }
}

struct Panics;

impl Bot for Panics {
    fn play(&mut self, _: &Question) -> Answer {
        panic!("no idea")
    }
}

/// Plays a whole visit with two frames of questions.
async fn visit(mut referee: Referee) {
    let bot = referee.start(LastOption, false);
    let mut line = referee.line().await;
    let hello = line.greet(5000).await;
    let wanted = Hello {
        protocol_version: 1,
        name: "tested".into(),
        token: "seat 3".into(),
        variants: vec!["some-game".into()],
        tables: 2,
        version: "7".into(),
    };
    assert_eq!(hello, wanted);
    line.ask(vec![question(7, 2), question(u64::MAX, 4)]);
    assert_eq!(chosen(&line.replies(2).await), [(7, 1), (u64::MAX, 3)]);
    line.ask(vec![question(8, 3)]);
    assert_eq!(chosen(&line.replies(1).await), [(8, 2)]);
    assert_eq!(referee.described.load(Ordering::SeqCst), 1);
    line.dismiss().await;
    assert_eq!(soon(bot).await.unwrap(), Exit::Done);
}

#[tokio::test]
async fn a_referee_may_listen_on_a_unix_socket() {
    visit(Referee::open(None)).await;
}

#[tokio::test]
async fn a_referee_may_listen_on_a_port() {
    visit(Referee::open_port().await).await;
}

#[tokio::test]
async fn a_frame_of_questions_is_answered_in_one_frame() {
    let mut referee = Referee::open(None);
    let bot = referee.start(LastOption, false);
    let mut line = referee.line().await;
    line.greet(5000).await;
    let mut sizes = Vec::new();
    // A machine that takes the processor away between two questions gets two frames; not every time.
    while sizes.last() != Some(&2) && sizes.len() < 1000 {
        line.ask(vec![question(1, 1), question(2, 1)]);
        let first = line.replies(1).await;
        sizes.push(first.len());
        line.replies(2 - first.len()).await;
    }
    assert_eq!(sizes.last(), Some(&2), "never in one frame");
    line.dismiss().await;
    assert_eq!(soon(bot).await.unwrap(), Exit::Done);
}

#[tokio::test]
async fn a_ping_comes_back() {
    let mut referee = Referee::open(None);
    let bot = referee.start(LastOption, false);
    let mut line = referee.line().await;
    line.greet(5000).await;
    let ping = Some(wire::Ping { nonce: u64::MAX - 1 });
    line.write(RefereeFrame {
        ping,
        ..RefereeFrame::default()
    });
    let answer = line.read().await.unwrap();
    assert_eq!((answer.pong, answer.replies), (ping, vec![]));
    line.dismiss().await;
    assert_eq!(soon(bot).await.unwrap(), Exit::Done);
}

#[tokio::test]
async fn a_reply_does_not_wait_for_a_long_thought_on_the_next_question() {
    /// Thinks longer than replies wait for others; about the second question until the test says so.
    struct Thinks(mpsc::Receiver<()>);

    impl Bot for Thinks {
        fn play(&mut self, q: &Question) -> Answer {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(10) {}
            if q.decision_id == 2 {
                self.0.recv_timeout(LIMIT).expect("the first reply came");
            }
            Answer::Option(0)
        }
    }

    let mut referee = Referee::open(None);
    let (go_on, waits) = mpsc::channel();
    let bot = referee.start(Thinks(waits), false);
    let mut line = referee.line().await;
    line.greet(5000).await;
    line.ask(vec![question(1, 1), question(2, 1)]);
    assert_eq!(chosen(&line.replies(1).await), [(1, 0)]);
    go_on.send(()).unwrap();
    assert_eq!(chosen(&line.replies(1).await), [(2, 0)]);
    line.dismiss().await;
    assert_eq!(soon(bot).await.unwrap(), Exit::Done);
}

#[tokio::test]
async fn a_lost_stream_is_sought_again_and_what_is_asked_again_is_answered() {
    let mut referee = Referee::open(None);
    let bot = referee.start(LastOption, false);
    for code in [Code::Unavailable, Code::ResourceExhausted] {
        let mut line = referee.line().await;
        line.greet(5000).await;
        line.fail(code);
    }
    let mut line = referee.line().await;
    line.greet(5000).await;
    drop(line); // a stream that ends without a goodbye is lost too
    let mut line = referee.line().await;
    line.greet(5000).await;
    line.ask(vec![question(4, 2)]);
    assert_eq!(chosen(&line.replies(1).await), [(4, 1)]);
    line.dismiss().await;
    assert_eq!(soon(bot).await.unwrap(), Exit::Done);
    assert_eq!(referee.calls.load(Ordering::SeqCst), 4);
    assert_eq!(referee.described.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_referee_that_stays_away_is_given_up_after_the_grace_time() {
    let mut referee = Referee::open(None);
    let bot = referee.start(LastOption, false);
    let mut line = referee.line().await;
    line.greet(300).await;
    line.fail(Code::Unavailable);
    let begun = Instant::now();
    drop(referee);
    assert_eq!(soon(bot).await.unwrap(), Exit::Lost);
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "the grace time was not that of the Welcome"
    );
}

#[tokio::test]
async fn a_refusal_is_final() {
    for code in [Code::FailedPrecondition, Code::Unauthenticated, Code::InvalidArgument] {
        let referee = Referee::open(Some(code));
        assert_eq!(soon(referee.start(LastOption, false)).await.unwrap(), Exit::Refused);
        assert_eq!(referee.calls.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn a_bot_that_panics_plays_the_default() {
    let mut referee = Referee::open(None);
    let bot = referee.start(Panics, false);
    let mut line = referee.line().await;
    line.greet(5000).await;
    line.ask(vec![question(5, 3), question(6, 3)]);
    assert_eq!(chosen(&line.replies(2).await), [(5, 0), (6, 0)]);
    line.dismiss().await;
    assert_eq!(soon(bot).await.unwrap(), Exit::Done);
}

#[tokio::test]
async fn a_strict_bot_that_panics_leaves() {
    let mut referee = Referee::open(None);
    let bot = referee.start(Panics, true);
    let mut line = referee.line().await;
    line.greet(5000).await;
    line.ask(vec![question(5, 3)]);
    assert_eq!(soon(bot).await.unwrap(), Exit::BotFailed);
}

#[tokio::test]
async fn an_option_that_is_not_there_counts_as_a_panic() {
    struct Beyond;

    impl Bot for Beyond {
        fn play(&mut self, q: &Question) -> Answer {
            Answer::Option(q.options.len())
        }
    }

    let mut referee = Referee::open(None);
    let bot = referee.start(Beyond, false);
    let mut line = referee.line().await;
    line.greet(5000).await;
    line.ask(vec![question(5, 3)]);
    assert_eq!(chosen(&line.replies(1).await), [(5, 0)]);
    line.dismiss().await;
    assert_eq!(soon(bot).await.unwrap(), Exit::Done);
}

#[tokio::test]
async fn notices_are_heard_and_a_variant_is_described_before_its_first_question() {
    struct Hears(mpsc::Sender<Notice>);

    impl Bot for Hears {
        fn notice(&mut self, notice: &Notice) {
            self.0.send(notice.clone()).unwrap();
        }
    }

    let mut referee = Referee::open(None);
    let (sender, heard) = mpsc::channel();
    let bot = referee.start(Hears(sender), false);
    let mut line = referee.line().await;
    line.greet(5000).await;
    let opened = notice::Notice::TableOpened(wire::TableOpened {
        variant: "some-game".into(),
        ..wire::TableOpened::default()
    });
    let ended = notice::Notice::GameEnded(wire::GameEnded::default());
    line.tell(opened.clone());
    line.tell(ended.clone());
    line.dismiss().await;
    assert_eq!(soon(bot).await.unwrap(), Exit::Done);
    let heard: Vec<_> = heard.iter().map(|notice| notice.notice.unwrap()).collect();
    assert_eq!(heard, [opened, ended]);
    assert_eq!(referee.described.load(Ordering::SeqCst), 1);
}

#[test]
fn without_a_usable_address_nothing_is_tried() {
    for address in ["", "no address"] {
        let settings = Settings {
            address: address.into(),
            ..Settings::default()
        };
        assert_eq!(play(about(), settings, LastOption), Exit::Refused);
    }
}

#[test]
fn a_process_without_an_address_says_so_in_one_line_and_exits_with_2() {
    let done = program().output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.starts_with("rust-heuristic: EUCHRE_ADDRESS is not set"), "{said}");
    assert_eq!((said.lines().count(), done.status.code()), (1, Some(2)));
}

#[tokio::test]
async fn a_refused_process_says_so_in_one_line_and_exits_with_2() {
    let referee = Referee::open(Some(Code::FailedPrecondition));
    let (_, ended) = referee.start_process();
    let done = soon(ended).await.unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(
        said,
        "rust-heuristic: refused by the referee: not you (FailedPrecondition)\n"
    );
    assert_eq!(done.status.code(), Some(2));
}

#[tokio::test]
async fn sigterm_ends_a_process_quietly() {
    let mut referee = Referee::open(None);
    let (number, ended) = referee.start_process();
    let mut line = referee.line().await;
    line.greet(5000).await;
    let killed = Command::new("kill")
        .args(["-TERM", &number.to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let done = soon(ended).await.unwrap();
    assert_eq!((done.status.code(), done.stderr), (Some(0), vec![]));
}

#[tokio::test]
async fn a_fault_is_told_on_stderr() {
    let mut referee = Referee::open(None);
    let (_, ended) = referee.start_process();
    let mut line = referee.line().await;
    line.greet(5000).await;
    let fault = wire::Fault {
        table_id: 4,
        message: "too late".into(),
        ..wire::Fault::default()
    };
    line.tell(notice::Notice::Fault(fault));
    line.dismiss().await;
    let done = soon(ended).await.unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(
        (said.as_str(), done.status.code()),
        ("rust-heuristic: fault at table 4: too late\n", Some(0))
    );
}
