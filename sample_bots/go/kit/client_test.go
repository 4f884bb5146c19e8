package kit

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "euchrebot/euchrev1"
)

// referee is a service that plays a script on each stream in turn; the last one is for all further streams.
type referee struct {
	pb.UnimplementedRefereeServiceServer
	scripts []func(pb.RefereeService_PlayServer) error

	lock      sync.Mutex
	visits    int
	hello     *pb.Hello
	described int
}

func (r *referee) Play(stream pb.RefereeService_PlayServer) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	r.lock.Lock()
	r.hello = first.Hello
	script := r.scripts[min(r.visits, len(r.scripts)-1)]
	r.visits++
	r.lock.Unlock()
	return script(stream)
}

func (r *referee) DescribeVariant(
	_ context.Context, request *pb.DescribeVariantRequest,
) (*pb.DescribeVariantResponse, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.described++
	return &pb.DescribeVariantResponse{Variant: &pb.Variant{Id: request.Variant, Seats: 4}}, nil
}

// visit runs a bot against the referee to its end and returns the exit code.
func visit(t *testing.T, r *referee, bot Bot) int {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	pb.RegisterRefereeServiceServer(server, r)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	t.Setenv("EUCHRE_ADDRESS", "unix:"+socket)
	t.Setenv("EUCHRE_TOKEN", "seat-3")
	t.Setenv("EUCHRE_NAME", "tested")
	t.Setenv("EUCHRE_STRICT", "")
	return play(About{Name: "kit", Version: "7", Tables: 2}, bot)
}

func welcome(grace uint32) *pb.RefereeFrame {
	return &pb.RefereeFrame{Welcome: &pb.Welcome{ProtocolVersion: 1, GraceMilliseconds: grace}}
}

// goodbye sends the last frame and waits for the half-close.
func goodbye(stream pb.RefereeService_PlayServer) error {
	if err := stream.Send(&pb.RefereeFrame{Goodbye: &pb.Goodbye{Reason: "done"}}); err != nil {
		return err
	}
	if _, err := stream.Recv(); err != io.EOF {
		return status.Error(codes.Internal, "expected a half-close")
	}
	return nil
}

func request(id uint64, options int) *pb.DecisionRequest {
	asked := &pb.DecisionRequest{DecisionId: id, Variant: "some-game", Phase: pb.PhaseKind_PHASE_KIND_PLAY}
	for range options {
		asked.Options = append(asked.Options, &pb.Action{Kind: Play})
	}
	return asked
}

type lastOption struct{ Defaults }

func (lastOption) Play(q *Question) Answer { return Option(len(q.Options) - 1) }

type panics struct{ Defaults }

func (panics) Play(*Question) Answer { panic("no idea") }

func TestAFrameOfQuestionsIsAnsweredInOneFrame(t *testing.T) {
	var replies []*pb.Reply
	frames := 0
	r := &referee{scripts: []func(pb.RefereeService_PlayServer) error{func(stream pb.RefereeService_PlayServer) error {
		frame := welcome(1000)
		// A machine that takes the processor away between two questions gets two frames; not every time.
		for try := 0; try < 1000 && frames != 1; try++ {
			frame.Requests = []*pb.DecisionRequest{request(7, 2), request(9, 4)}
			if err := stream.Send(frame); err != nil {
				return err
			}
			replies, frames = nil, 0
			for len(replies) < 2 {
				answered, err := stream.Recv()
				if err != nil {
					return err
				}
				replies = append(replies, answered.Replies...)
				frames++
			}
			frame = &pb.RefereeFrame{}
		}
		return goodbye(stream)
	}}}
	if code := visit(t, r, lastOption{}); code != ExitDone {
		t.Errorf("exit code %d", code)
	}
	if frames != 1 {
		t.Errorf("never in one frame; the last time in %d", frames)
	}
	if len(replies) != 2 || replies[0].DecisionId != 7 || replies[0].GetOption() != 1 ||
		replies[1].DecisionId != 9 || replies[1].GetOption() != 3 {
		t.Errorf("replies %v", replies)
	}
	if r.described != 1 {
		t.Errorf("the variant was described %d times", r.described)
	}
	if r.hello.Token != "seat-3" || r.hello.Name != "tested" || r.hello.ProtocolVersion != 1 || r.hello.Tables != 2 {
		t.Errorf("hello %v", r.hello)
	}
}

func TestAPingComesBack(t *testing.T) {
	var pong *pb.BotFrame
	r := &referee{scripts: []func(pb.RefereeService_PlayServer) error{func(stream pb.RefereeService_PlayServer) error {
		if err := stream.Send(&pb.RefereeFrame{Ping: &pb.Ping{Nonce: 42}}); err != nil {
			return err
		}
		var err error
		if pong, err = stream.Recv(); err != nil {
			return err
		}
		return goodbye(stream)
	}}}
	if code := visit(t, r, lastOption{}); code != ExitDone || pong.GetPong().GetNonce() != 42 {
		t.Errorf("exit code %d, pong %v", code, pong)
	}
}

func TestABotThatPanicsPlaysTheDefault(t *testing.T) {
	var replies *pb.BotFrame
	r := &referee{scripts: []func(pb.RefereeService_PlayServer) error{func(stream pb.RefereeService_PlayServer) error {
		if err := stream.Send(&pb.RefereeFrame{Requests: []*pb.DecisionRequest{request(5, 3)}}); err != nil {
			return err
		}
		var err error
		if replies, err = stream.Recv(); err != nil {
			return err
		}
		return goodbye(stream)
	}}}
	if code := visit(t, r, panics{}); code != ExitDone {
		t.Errorf("exit code %d", code)
	}
	if _, ok := replies.GetReplies()[0].Choice.(*pb.Reply_Option); !ok || replies.Replies[0].GetOption() != 0 {
		t.Errorf("replies %v", replies)
	}
}

func TestALostStreamIsSoughtAgain(t *testing.T) {
	lose := func(stream pb.RefereeService_PlayServer) error {
		if err := stream.Send(welcome(5000)); err != nil {
			return err
		}
		return status.Error(codes.Unavailable, "gone")
	}
	r := &referee{scripts: []func(pb.RefereeService_PlayServer) error{lose, lose, goodbye}}
	if code := visit(t, r, lastOption{}); code != ExitDone || r.visits != 3 {
		t.Errorf("exit code %d after %d visits", code, r.visits)
	}
}

func TestARefusalIsFinal(t *testing.T) {
	for _, code := range []codes.Code{codes.FailedPrecondition, codes.Unauthenticated, codes.InvalidArgument} {
		t.Run(code.String(), func(t *testing.T) {
			refuse := func(pb.RefereeService_PlayServer) error { return status.Error(code, "not you") }
			r := &referee{scripts: []func(pb.RefereeService_PlayServer) error{refuse}}
			if exit := visit(t, r, lastOption{}); exit != ExitRefused || r.visits != 1 {
				t.Errorf("exit code %d after %d visits", exit, r.visits)
			}
		})
	}
}

func TestARefereeThatStaysAwayIsGivenUpAfterTheGraceTime(t *testing.T) {
	r := &referee{scripts: []func(pb.RefereeService_PlayServer) error{
		func(stream pb.RefereeService_PlayServer) error {
			if err := stream.Send(welcome(300)); err != nil {
				return err
			}
			return status.Error(codes.Unavailable, "gone")
		},
		func(pb.RefereeService_PlayServer) error { return status.Error(codes.Unavailable, "still gone") },
	}}
	if code := visit(t, r, lastOption{}); code != ExitLost {
		t.Errorf("exit code %d", code)
	}
}

func TestWithoutAnAddressNothingIsTried(t *testing.T) {
	t.Setenv("EUCHRE_ADDRESS", "")
	if code := play(About{Name: "kit"}, lastOption{}); code != ExitRefused {
		t.Errorf("exit code %d", code)
	}
}

func TestTheSameQuestionGetsTheSameChance(t *testing.T) {
	asked := &Question{DecisionRequest: request(1, 2), seed: 5}
	again := &Question{DecisionRequest: request(2, 2), seed: 5}
	other := &Question{DecisionRequest: request(1, 2), seed: 6}
	if number := asked.Chance().Uint64(); number != again.Chance().Uint64() || number == other.Chance().Uint64() {
		t.Error("chance does not follow from the seed and the question alone")
	}
}
