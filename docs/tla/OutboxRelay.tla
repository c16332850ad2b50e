---------------------------- MODULE OutboxRelay ----------------------------
(***************************************************************************)
(* How relays carry the events of one key from an outbox table to a        *)
(* broker. The actions have the names of those of the explorer             *)
(* (io.waybill.proof.explore.Action), which runs the real engine.        *)
(*                                                                         *)
(* The key is in one lane, a relay has one connection to the database and  *)
(* one message of the key in flight, and rows that wait behind a failure   *)
(* stay where they are.                                                    *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Relays,       \* names of the relays
    Last,         \* events are 1..Last, in the order of their rows
    MaxFaults,    \* most faults of one behaviour
    Limit,        \* definite rejections that make an event give up
    Buries,       \* TRUE: an event at its limit is dead; FALSE: it is parked
    Fenced,       \* reads and settlements look for their session
    CountUnknown, \* an unknown outcome counts as a rejection
    PassUnknown,  \* a key goes on past an unknown outcome
    TellsQuiet    \* a new owner gives up only after the former one's lease

VARIABLES
    life,      \* of an event: "open", "visible", "durable", "rolledBack", "forgotten"
    mark,      \* what the table says: "waiting", "published", "parked", "dead"
    record,    \* what the table says of an event's attempts
    owner,     \* session that owns the lane, or 0
    lastFence, \* number of the latest session
    alive,     \* sessions that have not been ended
    expired,   \* sessions whose lease is over
    ended,     \* sessions whose lock is free
    unquiet,   \* former sessions whose lease goes on: messages of them may come
    relay,     \* memory of each relay
    call,      \* the call of each relay to the database
    lateCalls, \* settlements of relays that died
    wire,      \* messages
    delivered, \* events of which the broker has a copy
    excused,   \* duplicates of an event that faults so far excuse
    disorder,  \* an event was stored before an earlier one of its key, or its key went past
               \* an unknown outcome of it, or past a message of it that was waited for
    faults

vars == <<life, mark, record, owner, lastFence, alive, expired, ended, unquiet, relay,
          call, lateCalls, wire, delivered, excused, disorder, faults>>

sessions == <<owner, lastFence, alive, expired, ended, unquiet>>
database == <<life, mark, record, sessions>>
broker == <<wire, delivered, disorder>>

Events == 1..Last
Untried == [tries |-> 0, unknown |-> FALSE]
Fresh == [fence |-> 0,        \* the session that it believes to have
          quiet |-> FALSE,    \* it was told that no message of a former owner may come
          late |-> FALSE,     \* its own clock says that its lease is over
          line |-> <<>>,      \* events in memory, the head first
          sent |-> FALSE,     \* the head is in flight
          record |-> [e \in Events |-> Untried],
          round |-> 0,        \* unknown outcomes so far: tells copies apart
          done |-> {},        \* changes that are not settled
          heard |-> {},       \* events of which an outcome was unknown
          blocked |-> FALSE]  \* its key is parked
NoCall == [kind |-> "none"]
Committed(e) == life[e] \in {"visible", "durable"}
Flushed == [e \in Events |-> IF life[e] = "visible" THEN "durable" ELSE life[e]]
Holders == {relay[r].fence : r \in Relays}
           \cup {call[r].fence : r \in {q \in Relays : call[q].kind = "own" /\ call[q].at = "done"}}

Init ==
    /\ life = [e \in Events |-> "open"]
    /\ mark = [e \in Events |-> "waiting"]
    /\ record = [e \in Events |-> Untried]
    /\ owner = 0 /\ lastFence = 0 /\ alive = {} /\ expired = {} /\ ended = {} /\ unquiet = {}
    /\ relay = [r \in Relays |-> Fresh]
    /\ call = [r \in Relays |-> NoCall]
    /\ lateCalls = {} /\ wire = {} /\ delivered = {}
    /\ excused = [e \in Events |-> 0]
    /\ disorder = FALSE /\ faults = 0

Fault == faults < MaxFaults /\ faults' = faults + 1

------------------------------------------------------------------------------
(* Producers: transactions of one key end in their order.                    *)

Ends(e, how) ==
    /\ life[e] = "open" /\ \A d \in Events : d < e => life[d] # "open"
    /\ life' = [life EXCEPT ![e] = how]
    /\ UNCHANGED <<mark, record, sessions, relay, call, lateCalls,
                   wire, delivered, excused, disorder, faults>>

Commit(e) == Ends(e, "visible")
RollBack(e) == Ends(e, "rolledBack")

------------------------------------------------------------------------------
(* Relays: a tick renews the lease, asks for a call, or sends the head.      *)

Forget(r) ==
    /\ relay' = [relay EXCEPT ![r] = Fresh]
    /\ wire' = {m \in wire : m.relay # r}
               \cup {[m EXCEPT !.relay = "nobody", !.place = "late"] :
                     m \in {n \in wire : n.relay = r /\ n.place \in {"wire", "failedOnWire"}}}

Gone == expired \cup ended

\* With what is renewed, a relay is told when it is quiet.
Renew(r) ==
    /\ relay[r].fence # 0
    /\ IF relay[r].fence \in alive
       THEN /\ expired' = expired \ {relay[r].fence}
            /\ relay' = [relay EXCEPT ![r].late = FALSE, ![r].quiet = @ \/ unquiet = {}]
            /\ UNCHANGED <<wire, call>>
       ELSE /\ Forget(r)
            /\ call' = [call EXCEPT ![r] = NoCall]
            /\ UNCHANGED expired
    /\ UNCHANGED <<life, mark, record, owner, lastFence, alive, ended, unquiet, lateCalls,
                   delivered, excused, disorder, faults>>

Ask(r) ==
    LET me == relay[r] IN
    /\ call[r] = NoCall
    /\ \/ /\ me.fence = 0
          /\ owner = 0 \/ owner \in Gone
          /\ call' = [call EXCEPT ![r] = [kind |-> "own", at |-> "asked", fence |-> 0]]
       \/ /\ me.fence # 0 /\ me.done # {}
          /\ call' = [call EXCEPT ![r] = [kind |-> "settle", at |-> "asked",
                                          fence |-> me.fence, changes |-> me.done]]
       \/ /\ me.fence # 0 /\ me.done = {} /\ me.line = <<>> /\ ~me.blocked
          /\ \E e \in Events : Committed(e) /\ mark[e] = "waiting"
          /\ call' = [call EXCEPT ![r] = [kind |-> "read", at |-> "asked",
                                          fence |-> me.fence, rows |-> <<>>]]
    /\ UNCHANGED <<database, relay, lateCalls, broker, excused, faults>>

Send(r) ==
    LET me == relay[r] IN
    /\ me.fence # 0 /\ ~me.late /\ me.line # <<>> /\ ~me.sent
    \* Nothing goes on before what was decided about the event before it is durable.
    /\ \A c \in me.done : c.mark # "dead"
    /\ relay' = [relay EXCEPT ![r].sent = TRUE]
    /\ wire' = wire \cup {[relay |-> r, fence |-> me.fence, event |-> Head(me.line),
                           round |-> me.round, place |-> "wire"]}
    \* A relay that does not know that it lost its session: only a stopped clock leads here.
    /\ excused' = IF me.fence \in alive THEN excused
                  ELSE [excused EXCEPT ![Head(me.line)] = @ + 1]
    /\ UNCHANGED <<database, call, lateCalls, delivered, disorder, faults>>

Tick(r) == Renew(r) \/ Ask(r) \/ Send(r)

------------------------------------------------------------------------------
(* The database carries out calls.                                           *)

\* Copies of what a session has in flight, or confirmed and not marked, are to be expected.
Excuses(r) ==
    [e \in Events |->
        excused[e]
        + Cardinality({m \in wire : m.relay = r /\ m.event = e /\ m.place \in {"wire", "stored"}})
        + Cardinality({c \in relay[r].done : c.event = e /\ c.mark = "published"
                                             /\ mark[e] # "published"})]

Own(r) ==
    /\ call[r].kind = "own" /\ call[r].at = "asked"
    /\ owner = 0 \/ owner \in Gone
    /\ lastFence' = lastFence + 1
    /\ owner' = lastFence'
    /\ alive' = (alive \ Gone) \cup {lastFence'}
    /\ expired' = {} /\ ended' = {}
    /\ unquiet' = unquiet \cup ({owner} \cap (ended \ expired))
    /\ call' = [call EXCEPT ![r] = [kind |-> "own", at |-> "done", fence |-> lastFence',
                                    quiet |-> unquiet' = {} \/ ~TellsQuiet,
                                    blocked |-> \E e \in Events : mark[e] = "parked"]]
    /\ LET losers == {q \in Relays : relay[q].fence # 0 /\ relay[q].fence \in Gone} IN
       excused' = IF losers = {} THEN excused ELSE Excuses(CHOOSE q \in losers : TRUE)
    /\ life' = Flushed
    /\ UNCHANGED <<mark, record, relay, lateCalls, broker, faults>>

MayTouch(fence) == ~Fenced \/ fence \in alive

Read(r) ==
    /\ call[r].kind = "read" /\ call[r].at = "asked"
    /\ LET Waits(e) == Committed(e) /\ mark[e] = "waiting"
           all == SelectSeq([i \in 1..Last |-> i], Waits)
       IN call' = [call EXCEPT ![r].at = "done",
                               ![r].rows = IF MayTouch(call[r].fence) THEN all ELSE <<>>]
    /\ life' = Flushed
    /\ UNCHANGED <<mark, record, sessions, relay, lateCalls, broker, excused, faults>>

Apply(changes) ==
    /\ mark' = [e \in Events |->
                  IF \E c \in changes : c.event = e /\ c.mark # "waiting"
                  THEN (CHOOSE c \in changes : c.event = e /\ c.mark # "waiting").mark
                  ELSE mark[e]]
    /\ record' = [e \in Events |->
                    IF \E c \in changes : c.event = e
                    THEN (CHOOSE c \in changes : c.event = e).record
                    ELSE record[e]]

SettleFor(fence, changes) ==
    /\ life' = Flushed
    /\ IF MayTouch(fence) THEN Apply(changes) ELSE UNCHANGED <<mark, record>>

Settle(r) ==
    \/ /\ call[r].kind = "settle" /\ call[r].at = "asked"
       /\ SettleFor(call[r].fence, call[r].changes)
       /\ call' = [call EXCEPT ![r] = [kind |-> "settle", at |-> "done", fence |-> call[r].fence,
                                       changes |-> call[r].changes,
                                       won |-> MayTouch(call[r].fence)]]
       /\ UNCHANGED <<sessions, relay, lateCalls, broker, excused, faults>>
    \/ \E c \in lateCalls :
       /\ SettleFor(c.fence, c.changes)
       /\ lateCalls' = lateCalls \ {c}
       /\ UNCHANGED <<sessions, relay, call, broker, excused, faults>>

Answer(r) ==
    LET me == relay[r] IN
    /\ call[r].kind # "none" /\ call[r].at = "done"
    /\ call' = [call EXCEPT ![r] = NoCall]
    /\ CASE call[r].kind = "own" ->
              /\ relay' = [relay EXCEPT ![r] = [Fresh EXCEPT !.fence = call[r].fence,
                                                             !.quiet = call[r].quiet,
                                                             !.blocked = call[r].blocked]]
              /\ UNCHANGED wire
         [] call[r].kind = "read" ->
              /\ relay' = [relay EXCEPT ![r].line = call[r].rows,
                                        ![r].record = record]
              /\ UNCHANGED wire
         [] call[r].kind = "settle" ->
              IF call[r].won
              THEN /\ relay' = [relay EXCEPT ![r].done = me.done \ call[r].changes]
                   /\ UNCHANGED wire
              ELSE Forget(r)
    /\ UNCHANGED <<database, lateCalls, delivered, excused, disorder, faults>>

------------------------------------------------------------------------------
(* The broker.                                                               *)

Move(m, place) == wire' = (wire \ {m}) \cup {[m EXCEPT !.place = place]}

Deliver(m) ==
    LET e == m.event IN
    /\ delivered' = delivered \cup {e}
    /\ excused' = IF e \in delivered THEN [excused EXCEPT ![e] = @ - 1] ELSE excused
    /\ disorder' = (disorder \/ /\ e \notin delivered
                                /\ \/ mark[e] = "dead" /\ m.fence \in unquiet
                                   \/ \E d \in Events : /\ d < e /\ Committed(d)
                                                        /\ d \notin delivered /\ mark[d] # "dead")

Store(m) ==
    /\ m.place = "wire" /\ Move(m, "stored") /\ Deliver(m)
    /\ UNCHANGED <<database, relay, call, lateCalls, faults>>

Land(m) ==
    /\ m.place \in {"failedOnWire", "late"}
    /\ IF m.place = "late" THEN wire' = wire \ {m} ELSE Move(m, "failed")
    /\ Deliver(m)
    /\ UNCHANGED <<database, relay, call, lateCalls, faults>>

\* Whether the message is the one that its sender waits for.
Current(m) == m.relay \in Relays /\ relay[m.relay].fence = m.fence
Change(m, to, rec) == [event |-> m.event, mark |-> to, record |-> rec]

Confirm(m) ==
    /\ m.place = "stored" /\ m.relay \in Relays
    /\ wire' = wire \ {m}
    /\ relay' = IF Current(m)
                THEN [relay EXCEPT ![m.relay].line = Tail(@), ![m.relay].sent = FALSE,
                                   ![m.relay].done = @ \cup {Change(m, "published", Untried)}]
                ELSE relay
    /\ UNCHANGED <<database, call, lateCalls, delivered, disorder, excused, faults>>

Rejected(me, m) ==
    LET tries == me.record[m.event].tries + 1
        unknown == me.record[m.event].unknown
        rec == [tries |-> tries, unknown |-> unknown]
        now == [me EXCEPT !.sent = FALSE, !.record[m.event] = rec]
    IN IF tries < Limit
       THEN [now EXCEPT !.done = {c \in @ : c.event # m.event} \cup {Change(m, "waiting", rec)}]
       ELSE IF Buries /\ ~unknown /\ ~me.quiet
       THEN [me EXCEPT !.sent = FALSE] \* tried again when it is quiet
       ELSE IF Buries /\ ~unknown
       THEN [now EXCEPT !.line = Tail(@),
                        !.done = {c \in @ : c.event # m.event} \cup {Change(m, "dead", rec)}]
       ELSE [now EXCEPT !.line = <<>>, !.blocked = TRUE,
                        !.done = {c \in @ : c.event # m.event} \cup {Change(m, "parked", rec)}]

Unknown(me, m) ==
    LET now == [me EXCEPT !.heard = @ \cup {m.event}] IN
    IF CountUnknown THEN Rejected(now, m)
    ELSE IF PassUnknown THEN [now EXCEPT !.sent = FALSE, !.line = Tail(@)]
    ELSE [now EXCEPT !.sent = FALSE, !.round = @ + 1, !.record[m.event].unknown = TRUE]

Tell(m) ==
    /\ m.place \in {"refused", "failed", "failedOnWire"} /\ m.relay \in Relays
    /\ wire' = IF m.place = "failedOnWire"
               THEN (wire \ {m}) \cup {[m EXCEPT !.relay = "nobody", !.place = "late"]}
               ELSE wire \ {m}
    /\ relay' = IF ~Current(m) THEN relay
                ELSE [relay EXCEPT ![m.relay] =
                        IF m.place = "refused" THEN Rejected(@, m) ELSE Unknown(@, m)]
    /\ disorder' = (disorder \/ \E c \in relay'[m.relay].done :
                                   c.mark = "dead" /\ c.event \in relay'[m.relay].heard)
    /\ UNCHANGED <<database, call, lateCalls, delivered, excused, faults>>

------------------------------------------------------------------------------
(* Faults.                                                                   *)

LoseCall(r) ==
    /\ Fault /\ call[r].kind # "none" /\ call[r].at = "asked"
    /\ call' = [call EXCEPT ![r] = NoCall]
    /\ UNCHANGED <<database, relay, lateCalls, broker, excused>>

LoseAnswer(r) ==
    /\ Fault /\ call[r].kind # "none" /\ call[r].at = "done"
    /\ call' = [call EXCEPT ![r] = NoCall]
    /\ UNCHANGED <<database, relay, lateCalls, broker, excused>>

Refuse(m) ==
    /\ Fault /\ m.place = "wire" /\ Move(m, "refused")
    /\ UNCHANGED <<database, relay, call, lateCalls, delivered, excused, disorder>>

TimeOut(m) ==
    /\ Fault /\ m.place = "wire" /\ Move(m, "failedOnWire")
    /\ excused' = [excused EXCEPT ![m.event] = @ + 1]
    /\ UNCHANGED <<database, relay, call, lateCalls, delivered, disorder>>

LoseConfirm(m) ==
    /\ Fault /\ m.place = "stored" /\ Move(m, "failed")
    /\ excused' = [excused EXCEPT ![m.event] = @ + 1]
    /\ UNCHANGED <<database, relay, call, lateCalls, delivered, disorder>>

Crash(r) ==
    /\ Fault /\ (relay[r] # Fresh \/ call[r] # NoCall)
    /\ excused' = IF relay[r].fence \in alive THEN Excuses(r) ELSE excused
    /\ Forget(r)
    /\ lateCalls' = IF call[r].kind = "settle" /\ call[r].at = "asked"
                    THEN lateCalls \cup {[fence |-> call[r].fence, changes |-> call[r].changes]}
                    ELSE lateCalls
    /\ call' = [call EXCEPT ![r] = NoCall]
    /\ UNCHANGED <<database, delivered, disorder>>

\* A relay that is stopped on purpose gives its lane up when nothing of it is open: no copies.
HandOver(r) ==
    LET f == relay[r].fence IN
    /\ Fault /\ f # 0 /\ call[r] = NoCall /\ ~relay[r].sent /\ relay[r].done = {}
    /\ relay' = [relay EXCEPT ![r] = Fresh]
    /\ owner' = IF owner = f THEN 0 ELSE owner
    /\ alive' = alive \ {f} /\ expired' = expired \ {f} /\ ended' = ended \ {f}
    /\ UNCHANGED <<life, mark, record, lastFence, unquiet, call, lateCalls, broker, excused>>

\* The lease of a living relay ends by a fault alone; that of nobody ends by itself.
Ended(f, late) ==
    /\ f \in alive \ Gone
    /\ expired' = expired \cup {f}
    /\ relay' = [r \in Relays |-> IF relay[r].fence = f THEN [relay[r] EXCEPT !.late = late]
                                  ELSE relay[r]]
    /\ UNCHANGED <<life, mark, record, owner, lastFence, alive, ended, unquiet, call, lateCalls,
                   broker, excused>>

\* The lease of a former session whose lock was free ends: what was sent under it has come by now,
\* or never does.
Over(f) ==
    /\ f \in unquiet /\ \A m \in wire : m.fence = f => m.place # "wire"
    /\ unquiet' = unquiet \ {f}
    /\ wire' = {m \in wire : m.fence # f \/ m.place \notin {"late", "failedOnWire"}}
               \cup {[m EXCEPT !.place = "failed"] :
                     m \in {n \in wire : n.fence = f /\ n.place = "failedOnWire"}}
    /\ relay' = [r \in Relays |-> IF relay[r].fence = f THEN [relay[r] EXCEPT !.late = TRUE]
                                  ELSE relay[r]]
    /\ UNCHANGED <<life, mark, record, owner, lastFence, alive, expired, ended, call, lateCalls,
                   delivered, disorder, excused, faults>>

Expire(f) ==
    \/ /\ Ended(f, TRUE)
       /\ IF f \in Holders THEN unquiet = {} /\ Fault ELSE UNCHANGED faults
    \/ Over(f)

Freeze(f) == f \in Holders /\ Ended(f, FALSE) /\ Fault

\* The lock of a session ends; its relay, if there is one, is not told.
EndSession(f) ==
    /\ f \in alive \ Gone
    /\ ended' = ended \cup {f}
    /\ IF f \in Holders THEN Fault ELSE UNCHANGED faults
    /\ UNCHANGED <<life, mark, record, owner, lastFence, alive, expired, unquiet, relay, call,
                   lateCalls, broker, excused>>

CrashDatabase ==
    /\ Fault
    /\ life' = [e \in Events |-> IF life[e] = "visible" THEN "forgotten" ELSE life[e]]
    /\ call' = [r \in Relays |-> NoCall]
    /\ lateCalls' = {}
    /\ UNCHANGED <<mark, record, sessions, relay, broker, excused>>

------------------------------------------------------------------------------

Next ==
    \/ \E e \in Events : Commit(e) \/ RollBack(e)
    \/ \E r \in Relays : Tick(r) \/ Own(r) \/ Read(r) \/ Settle(r) \/ Answer(r)
    \/ \E m \in wire : Store(m) \/ Confirm(m) \/ Tell(m) \/ Land(m)
    \/ \E r \in Relays : LoseCall(r) \/ LoseAnswer(r) \/ Crash(r) \/ HandOver(r)
    \/ \E m \in wire : Refuse(m) \/ TimeOut(m) \/ LoseConfirm(m)
    \/ \E f \in alive \cup unquiet : Expire(f) \/ Freeze(f) \/ EndSession(f)
    \/ CrashDatabase

Fairness ==
    /\ \A r \in Relays : /\ WF_vars(Renew(r)) /\ WF_vars(Ask(r)) /\ WF_vars(Send(r))
                         /\ WF_vars(Own(r)) /\ WF_vars(Read(r)) /\ WF_vars(Settle(r))
                         /\ WF_vars(Answer(r))
    /\ WF_vars(\E m \in wire : Store(m))
    /\ WF_vars(\E m \in wire : Confirm(m))
    /\ WF_vars(\E m \in wire : Tell(m))
    /\ WF_vars(\E f \in (alive \ Holders) \cup unquiet : Expire(f))

Spec == Init /\ [][Next]_vars /\ Fairness

------------------------------------------------------------------------------

\* I1: a row counts as published only after the broker has a copy.
NoFalseSuccess == \A e \in Events : mark[e] = "published" => e \in delivered

\* I3: first deliveries come in the order of the rows.
OrderPerKey == ~disorder

\* I4: every duplicate has a cause.
DuplicatesHaveCauses == \A e \in Events : excused[e] >= 0

\* I5: what was rolled back or forgotten is not published.
NoGhosts == \A e \in delivered : Committed(e)

\* I2: every committed event is published, or parked or dead where everybody sees it.
Ending(e) ==
    \/ mark[e] \in {"published", "parked", "dead"}
    \/ life[e] = "forgotten"
    \/ \E d \in Events : d < e /\ mark[d] = "parked"
NothingLost == \A e \in Events : Committed(e) ~> Ending(e)
=============================================================================
