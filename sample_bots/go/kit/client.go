package kit

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	pb "euchrebot/euchrev1"
)

const protocolVersion = 1

// Exit codes of Run.
const (
	ExitDone = 0
	// ExitBotFailed: EUCHRE_STRICT is set and the bot panicked.
	ExitBotFailed = 1
	// ExitRefused: the referee will not have this bot, or the environment is incomplete; trying again would not help.
	ExitRefused = 2
	// ExitLost: the referee could not be reached within the grace time.
	ExitLost = 4
)

const (
	firstGrace      = 10 * time.Second // until a Welcome tells the true grace time
	firstPause      = 100 * time.Millisecond
	longestPause    = 3 * time.Second
	flushAfter      = 5 * time.Millisecond // replies wait no longer for others of their frame
	describeTimeout = 10 * time.Second
	largestMessage  = 64 << 20
)

// final are the answers that the same call would get again.
var final = map[codes.Code]bool{
	codes.FailedPrecondition: true, codes.Unauthenticated: true, codes.InvalidArgument: true,
	codes.PermissionDenied: true, codes.Unimplemented: true, codes.NotFound: true,
}

// finished ends the bot with an exit code and a line for stderr.
type finished struct {
	code int
	line string
}

func (f *finished) Error() string { return f.line }

// Run plays as bot until the referee says goodbye, then exits the process with one of the exit codes.
func Run(about About, bot Bot) {
	os.Exit(play(about, bot))
}

func play(about About, bot Bot) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	c := &client{
		bot: bot, about: about, address: strings.TrimSpace(os.Getenv("EUCHRE_ADDRESS")),
		token: os.Getenv("EUCHRE_TOKEN"), seed: seedFromEnvironment(), grace: firstGrace,
		variants: map[string]*Variant{},
	}
	if name := os.Getenv("EUCHRE_NAME"); name != "" {
		c.about.Name = name
	}
	strict := os.Getenv("EUCHRE_STRICT")
	c.strict = strict != "" && strict != "0"
	err := c.run(ctx)
	var end *finished
	switch {
	case err == nil || ctx.Err() != nil:
		return ExitDone
	case errors.As(err, &end):
		c.say(end.line)
		return end.code
	}
	c.say(err.Error())
	return ExitLost
}

// seedFromEnvironment returns EUCHRE_SEED as a number (any text will do), or a seed by chance.
func seedFromEnvironment() uint64 {
	text := strings.TrimSpace(os.Getenv("EUCHRE_SEED"))
	if text == "" {
		return rand.Uint64()
	}
	if number, err := strconv.ParseUint(text, 10, 64); err == nil {
		return number
	}
	hash := fnv.New64a()
	io.WriteString(hash, text)
	return hash.Sum64()
}

// client is a bot and its line to the referee.
type client struct {
	bot            Bot
	about          About
	address, token string
	seed           uint64
	strict         bool
	grace          time.Duration
	welcomed       bool
	variants       map[string]*Variant
}

func (c *client) say(line string) { fmt.Fprintf(os.Stderr, "%s: %s\n", c.about.Name, line) }

// run plays, and comes back as often as needed, until goodbye.
func (c *client) run(ctx context.Context) error {
	if c.address == "" {
		return &finished{ExitRefused, "EUCHRE_ADDRESS is not set; it is the referee's address, unix:/path or host:port" +
			" (the arena sets it)"}
	}
	var lostSince time.Time
	pause := firstPause
	for {
		c.welcomed = false
		err := c.visit(ctx)
		if err == nil || ctx.Err() != nil {
			return nil
		}
		var end *finished
		if errors.As(err, &end) {
			return err
		}
		if code := status.Code(err); final[code] {
			return &finished{ExitRefused, fmt.Sprintf("refused by the referee: %s (%s)", status.Convert(err).Message(), code)}
		}
		now := time.Now()
		if c.welcomed || lostSince.IsZero() {
			lostSince, pause = now, firstPause
		}
		wait := time.Duration(float64(pause) * (0.5 + rand.Float64()))
		if now.Add(wait).Sub(lostSince) > c.grace {
			return &finished{ExitLost, fmt.Sprintf("the referee at %s was lost and not found again within %v: %v",
				c.address, c.grace, err)}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		pause = min(2*pause, longestPause)
	}
}

// visit is on one stream to its end; it returns nil after goodbye, else why the stream was lost or refused.
func (c *client) visit(ctx context.Context) error {
	connection, err := grpc.NewClient(c.address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithNoProxy(),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 20 * time.Second, Timeout: 10 * time.Second, PermitWithoutStream: true,
		}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestMessage)),
	)
	if err != nil {
		return &finished{ExitRefused, fmt.Sprintf("EUCHRE_ADDRESS %q is no address: %v", c.address, err)}
	}
	defer connection.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	referee := pb.NewRefereeServiceClient(connection)
	stream, err := referee.Play(ctx)
	if err != nil {
		return err
	}
	hello := &pb.Hello{
		ProtocolVersion: protocolVersion, Name: c.about.Name, Token: c.token,
		Variants: c.about.Variants, Tables: c.about.Tables, Version: c.about.Version,
	}
	if err := send(stream, &pb.BotFrame{Hello: hello}); err != nil {
		return err
	}
	for {
		frame, err := stream.Recv()
		if err == io.EOF {
			return errors.New("the stream ended without a goodbye")
		}
		if err != nil {
			return err
		}
		if frame.Welcome != nil {
			c.welcomed = true
			if given := frame.Welcome.GraceMilliseconds; given > 0 {
				c.grace = time.Duration(given) * time.Millisecond
			}
		}
		for _, notice := range frame.Notices {
			if err := c.notice(ctx, referee, notice); err != nil {
				return err
			}
		}
		if err := c.answer(ctx, referee, stream, frame); err != nil {
			return err
		}
		if frame.Goodbye != nil {
			return leave(stream)
		}
	}
}

// leave half-closes; the referee returns once it has seen that.
func leave(stream pb.RefereeService_PlayClient) error {
	if err := stream.CloseSend(); err != nil {
		return err
	}
	for {
		if _, err := stream.Recv(); err != nil {
			return nil
		}
	}
}

// send writes a frame. A stream that has ended tells why when it is read.
func send(stream pb.RefereeService_PlayClient, frame *pb.BotFrame) error {
	err := stream.Send(frame)
	if err != io.EOF {
		return err
	}
	for {
		if _, err := stream.Recv(); err != nil {
			if err == io.EOF {
				return errors.New("the stream was closed while a reply was being written")
			}
			return err
		}
	}
}

// answer writes one frame with the replies to all questions, or several if the bot thinks long.
func (c *client) answer(
	ctx context.Context, referee pb.RefereeServiceClient, stream pb.RefereeService_PlayClient, frame *pb.RefereeFrame,
) error {
	if frame.Ping != nil {
		if err := send(stream, &pb.BotFrame{Pong: frame.Ping}); err != nil {
			return err
		}
	}
	var reply pb.BotFrame
	begun := time.Now()
	for _, request := range frame.Requests {
		variant, err := c.describe(ctx, referee, request.Variant)
		if err != nil {
			return err
		}
		answer, err := c.decide(&Question{DecisionRequest: request, Variant: variant, seed: c.seed})
		if err != nil {
			return err
		}
		reply.Replies = append(reply.Replies, answer)
		if now := time.Now(); now.Sub(begun) > flushAfter {
			if err := send(stream, &reply); err != nil {
				return err
			}
			reply.Replies, begun = nil, now
		}
	}
	if len(reply.Replies) == 0 {
		return nil
	}
	return send(stream, &reply)
}

// decide returns the bot's answer; if the bot panics, it says so and plays the default (or leaves, when strict).
func (c *client) decide(q *Question) (reply *pb.Reply, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			line := fmt.Sprintf("the bot panicked at hand %d seat %d of %s, decision %d: %v",
				q.Hand, q.Seat, q.DecisionRequest.Variant, q.DecisionId, failure)
			fmt.Fprintf(os.Stderr, "%s", debug.Stack())
			if c.strict {
				err = &finished{ExitBotFailed, line + "; leaving, because strict"}
				return
			}
			c.say(line + "; played option 0 instead")
			reply = Option(0).reply(q)
		}
	}()
	return Decide(c.bot, q).reply(q), nil
}

// describe returns a variant, asking the referee once for each.
func (c *client) describe(ctx context.Context, referee pb.RefereeServiceClient, text string) (*Variant, error) {
	if known := c.variants[text]; known != nil {
		return known, nil
	}
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	response, err := referee.DescribeVariant(ctx, &pb.DescribeVariantRequest{Variant: text})
	if err != nil {
		return nil, err
	}
	c.variants[text] = NewVariant(response.Variant)
	return c.variants[text], nil
}

func (c *client) notice(ctx context.Context, referee pb.RefereeServiceClient, notice *pb.Notice) error {
	if opened := notice.GetTableOpened(); opened != nil {
		if _, err := c.describe(ctx, referee, opened.Variant); err != nil { // before the first clock runs
			return err
		}
	}
	if fault := notice.GetFault(); fault != nil {
		c.say(fmt.Sprintf("fault at table %d: %s", fault.TableId, fault.Message))
	}
	if listener, ok := c.bot.(Listener); ok {
		return c.tell(listener, notice)
	}
	return nil
}

// tell hands a notice to the bot; a panic is printed and forgotten (or, when strict, leaves).
func (c *client) tell(listener Listener, notice *pb.Notice) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			fmt.Fprintf(os.Stderr, "%s", debug.Stack())
			line := fmt.Sprintf("the bot panicked at a notice: %v", failure)
			if c.strict {
				err = &finished{ExitBotFailed, line + "; leaving, because strict"}
				return
			}
			c.say(line)
		}
	}()
	listener.Notice(notice)
	return nil
}
