//! A bot's line to the referee.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, io};

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::sleep;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

use crate::bot::{About, Answer, Bot, Chance, Question, decide};
use crate::variant::Variant;
use crate::wire::referee_service_client::RefereeServiceClient;
use crate::wire::{BotFrame, DecisionRequest, DescribeVariantRequest, Hello, Notice, RefereeFrame, Reply, notice};

const PROTOCOL_VERSION: u32 = 1;
/// Until a Welcome tells the true grace time.
const FIRST_GRACE: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// Replies wait no longer for others of their frame.
const FLUSH_AFTER: Duration = Duration::from_millis(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const DESCRIBE_TIMEOUT: Duration = Duration::from_secs(10);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
const LARGEST_MESSAGE: usize = 64 << 20;

/// How a bot's process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The referee said goodbye, or the process was told to end.
    Done = 0,
    /// `EUCHRE_STRICT` is set and the bot panicked.
    BotFailed = 1,
    /// The referee will not have this bot, or the environment is incomplete; trying again would not help.
    Refused = 2,
    /// The referee could not be reached within the grace time.
    Lost = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Where a bot plays, and how.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The referee's address, `unix:/path` or `host:port`.
    pub address: String,
    /// Where the bot was told to sit.
    pub token: String,
    /// The bot's name for logs; empty: its own.
    pub name: String,
    /// The seed of [`Question::chance`].
    pub seed: u64,
    /// A bot that panics leaves; otherwise the default is played.
    pub strict: bool,
}

impl Settings {
    /// Returns what `EUCHRE_ADDRESS`, `_TOKEN`, `_NAME`, `_SEED` and `_STRICT` say.
    pub fn from_environment() -> Self {
        let text = |name| env::var(name).unwrap_or_default().trim().to_owned();
        Self {
            address: text("EUCHRE_ADDRESS"),
            token: text("EUCHRE_TOKEN"),
            name: text("EUCHRE_NAME"),
            seed: seed(&text("EUCHRE_SEED")),
            strict: !matches!(text("EUCHRE_STRICT").as_str(), "" | "0"),
        }
    }
}

/// Returns the number that a text is or stands for; one by chance if it is empty.
fn seed(text: &str) -> u64 {
    if text.is_empty() {
        return RandomState::new().build_hasher().finish();
    }
    // FNV-1a
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.parse()
        .unwrap_or_else(|_| text.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}

/// Plays where the environment says until the referee says goodbye; returns the exit code of the process.
pub fn run(about: About, bot: impl Bot) -> ExitCode {
    play(about, Settings::from_environment(), bot).into()
}

/// Plays until the referee says goodbye.
///
/// The line is served by this thread; the bot thinks on another, so that a long thought does not look like a dead process.
pub fn play(mut about: About, settings: Settings, bot: impl Bot) -> Exit {
    if !settings.name.is_empty() {
        about.name.clone_from(&settings.name);
    }
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{}: cannot wait for input: {error}", about.name);
            return Exit::Lost;
        }
    };
    let name = about.name.clone();
    let ending = runtime.block_on(async {
        let mut client = Client::new(about, settings, bot);
        tokio::select! {
            ending = client.run() => ending,
            told = told_to_end() => told.map_err(|error| Ending(Exit::Lost, format!("cannot wait for signals: {error}"))),
        }
    });
    runtime.shutdown_background();
    match ending {
        Ok(()) => Exit::Done,
        Err(Ending(exit, line)) => {
            eprintln!("{name}: {line}");
            exit
        }
    }
}

/// Returns after SIGTERM or SIGINT.
async fn told_to_end() -> io::Result<()> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
    }
}

/// The end of the bot: the exit, and a line for stderr.
struct Ending(Exit, String);

/// The end of a stream other than by goodbye.
enum Failure {
    /// The bot ends.
    Final(Ending),
    /// The stream is to be sought again; why it was lost.
    Lost(String),
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        let line = format!("{} ({:?})", status.message(), status.code());
        match status.code() {
            // The same call would get the same answer again.
            Code::FailedPrecondition
            | Code::Unauthenticated
            | Code::InvalidArgument
            | Code::PermissionDenied
            | Code::Unimplemented
            | Code::NotFound => Self::Final(Ending(Exit::Refused, format!("refused by the referee: {line}"))),
            _ => Self::Lost(line),
        }
    }
}

type Referee = RefereeServiceClient<Channel>;

struct Client {
    about: About,
    settings: Settings,
    bot: Arc<Mutex<dyn Bot>>,
    grace: Duration,
    welcomed: bool,
    variants: HashMap<String, Arc<Variant>>,
}

impl Client {
    fn new(about: About, settings: Settings, bot: impl Bot) -> Self {
        let bot = Arc::new(Mutex::new(bot));
        Self {
            about,
            settings,
            bot,
            grace: FIRST_GRACE,
            welcomed: false,
            variants: HashMap::new(),
        }
    }

    /// Plays, and comes back as often as needed, until goodbye.
    async fn run(&mut self) -> Result<(), Ending> {
        let endpoint = endpoint(&self.settings.address)?;
        let mut chance = Chance::from_seed(seed(""));
        let (mut lost_since, mut pause) = (None, FIRST_PAUSE);
        loop {
            self.welcomed = false;
            let why = match self.visit(&endpoint).await {
                Ok(()) => return Ok(()),
                Err(Failure::Final(ending)) => return Err(ending),
                Err(Failure::Lost(why)) => why,
            };
            let now = Instant::now();
            if self.welcomed {
                (lost_since, pause) = (None, FIRST_PAUSE);
            }
            let since = *lost_since.get_or_insert(now);
            let wait = pause.mul_f64(0.5 + chance.below(1000) as f64 / 1000.0);
            if now + wait > since + self.grace {
                let (address, grace) = (&self.settings.address, self.grace);
                let line = format!("the referee at {address} was lost and not found again within {grace:?}: {why}");
                return Err(Ending(Exit::Lost, line));
            }
            sleep(wait).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    /// Is on one stream to its end: goodbye, or a failure.
    async fn visit(&mut self, endpoint: &Endpoint) -> Result<(), Failure> {
        let channel = endpoint
            .connect()
            .await
            .map_err(|error| Failure::Lost(causes(&error)))?;
        let mut referee = RefereeServiceClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE);
        let (out, frames) = unbounded_channel();
        send(
            &out,
            BotFrame {
                hello: Some(self.hello()),
                ..BotFrame::default()
            },
        );
        let mut stream = referee.play(UnboundedReceiverStream::new(frames)).await?.into_inner();
        while let Some(frame) = stream.message().await? {
            if let Some(welcome) = &frame.welcome {
                self.welcomed = true;
                if welcome.grace_milliseconds > 0 {
                    self.grace = Duration::from_millis(welcome.grace_milliseconds.into());
                }
            }
            let is_last = frame.goodbye.is_some();
            self.attend(&mut referee, &out, frame).await?;
            if is_last {
                drop(out); // half-closes; the referee returns once it has seen that
                while let Ok(Some(_)) = stream.message().await {}
                return Ok(());
            }
        }
        Err(Failure::Lost("the stream ended without a goodbye".into()))
    }

    fn hello(&self) -> Hello {
        Hello {
            protocol_version: PROTOCOL_VERSION,
            name: self.about.name.clone(),
            token: self.settings.token.clone(),
            variants: self.about.variants.clone(),
            tables: self.about.tables,
            version: self.about.version.clone(),
        }
    }

    /// Answers all of a frame.
    async fn attend(
        &mut self,
        referee: &mut Referee,
        out: &UnboundedSender<BotFrame>,
        frame: RefereeFrame,
    ) -> Result<(), Failure> {
        if frame.ping.is_some() {
            send(
                out,
                BotFrame {
                    pong: frame.ping,
                    ..BotFrame::default()
                },
            );
        }
        for told in &frame.notices {
            match &told.notice {
                // Before the first clock runs.
                Some(notice::Notice::TableOpened(opened)) => drop(self.describe(referee, &opened.variant).await?),
                Some(notice::Notice::Fault(fault)) => {
                    eprintln!(
                        "{}: fault at table {}: {}",
                        self.about.name, fault.table_id, fault.message
                    );
                }
                _ => {}
            }
        }
        let mut questions = Vec::with_capacity(frame.requests.len());
        for request in frame.requests {
            let variant = self.describe(referee, &request.variant).await?;
            questions.push((request, variant));
        }
        if questions.is_empty() && frame.notices.is_empty() {
            return Ok(());
        }
        let mind = Mind {
            bot: self.bot.clone(),
            name: self.about.name.clone(),
            seed: self.settings.seed,
            strict: self.settings.strict,
        };
        let out = out.clone();
        let thought = tokio::task::spawn_blocking(move || mind.attend(&frame.notices, &questions, &out));
        match thought.await {
            Ok(result) => result.map_err(Failure::Final),
            Err(error) => Err(Failure::Final(Ending(
                Exit::BotFailed,
                format!("the bot's thread failed: {error}"),
            ))),
        }
    }

    /// Returns a variant, asking the referee once for each.
    async fn describe(&mut self, referee: &mut Referee, text: &str) -> Result<Arc<Variant>, Failure> {
        if let Some(known) = self.variants.get(text) {
            return Ok(known.clone());
        }
        let mut request = Request::new(DescribeVariantRequest {
            variant: text.to_owned(),
        });
        request.set_timeout(DESCRIBE_TIMEOUT);
        let told = referee
            .describe_variant(request)
            .await?
            .into_inner()
            .variant
            .unwrap_or_default();
        let variant = Arc::new(Variant::new(told));
        self.variants.insert(text.to_owned(), variant.clone());
        Ok(variant)
    }
}

/// The bot as its own thread has it.
struct Mind {
    bot: Arc<Mutex<dyn Bot>>,
    name: String,
    seed: u64,
    strict: bool,
}

impl Mind {
    /// Tells the bot the notices and sends its replies: in one frame, or in several if it thinks long.
    fn attend(
        &self,
        notices: &[Notice],
        questions: &[(DecisionRequest, Arc<Variant>)],
        out: &UnboundedSender<BotFrame>,
    ) -> Result<(), Ending> {
        let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
        for notice in notices {
            self.tell(&mut *bot, notice)?;
        }
        let (mut replies, mut begun) = (Vec::new(), Instant::now());
        for (request, variant) in questions {
            replies.push(self.reply(&mut *bot, &Question::new(request, variant, self.seed))?);
            if begun.elapsed() > FLUSH_AFTER {
                send(
                    out,
                    BotFrame {
                        replies: std::mem::take(&mut replies),
                        ..BotFrame::default()
                    },
                );
                begun = Instant::now();
            }
        }
        if !replies.is_empty() {
            send(
                out,
                BotFrame {
                    replies,
                    ..BotFrame::default()
                },
            );
        }
        Ok(())
    }

    /// Returns the bot's reply; if it panics, the default's (or, when strict, it leaves).
    fn reply(&self, bot: &mut dyn Bot, q: &Question) -> Result<Reply, Ending> {
        match catch_unwind(AssertUnwindSafe(|| decide(bot, q).reply(q))) {
            Ok(reply) => Ok(reply),
            Err(_) => {
                let (hand, seat, id) = (q.hand, q.seat, q.decision_id);
                let line = format!(
                    "the bot panicked at hand {hand} seat {seat} of {}, decision {id}",
                    q.variant.id
                );
                self.failed(&line, "; played option 0 instead")?;
                Ok(Answer::Option(0).reply(q))
            }
        }
    }

    fn tell(&self, bot: &mut dyn Bot, notice: &Notice) -> Result<(), Ending> {
        match catch_unwind(AssertUnwindSafe(|| bot.notice(notice))) {
            Ok(()) => Ok(()),
            Err(_) => self.failed("the bot panicked at a notice", ""),
        }
    }

    fn failed(&self, line: &str, instead: &str) -> Result<(), Ending> {
        if self.strict {
            return Err(Ending(Exit::BotFailed, format!("{line}; leaving, because strict")));
        }
        eprintln!("{}: {line}{instead}", self.name);
        Ok(())
    }
}

/// Hands a frame to the stream. One that has ended tells why when it is read.
fn send(out: &UnboundedSender<BotFrame>, frame: BotFrame) {
    let _ = out.send(frame);
}

fn endpoint(address: &str) -> Result<Endpoint, Ending> {
    let refused = |line: String| Ending(Exit::Refused, line);
    if address.is_empty() {
        let line =
            "EUCHRE_ADDRESS is not set; it is the referee's address, unix:/path or host:port (the arena sets it)";
        return Err(refused(line.into()));
    }
    let uri = if address.starts_with("unix:") {
        address.to_owned()
    } else {
        format!("http://{address}")
    };
    let endpoint = Endpoint::from_shared(uri)
        .map_err(|error| refused(format!("EUCHRE_ADDRESS {address:?} is no address: {}", causes(&error))))?;
    Ok(endpoint
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT)
        .keep_alive_while_idle(true))
}

/// Returns an error and what caused it; the outermost alone says only "transport error".
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_number_or_any_text() {
        assert_eq!(seed("17"), 17);
        assert_eq!(seed("board 3"), seed("board 3"));
        assert_ne!(seed("board 3"), seed("board 4"));
    }
}
