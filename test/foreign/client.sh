#!/usr/bin/env bash
# A client of the platform in another language, to be read beside the service document: bash, curl, openssl and the
# perl that every Debian has (perl-base), and nothing of recon. It opens two accounts, moves money between them in
# every way, and exits 0 only when both balances are what it expects. What the document leaves open is done as the
# default profile has it and marked with its number (U1 …).
#
#   recon sandbox --port 8080 --scenario empty --controls     # prints the four settings to export
#   test/foreign/client.sh
#
# The sandbox's control surface (PLATFORM_CONTROL) plays who is not there: the phone that receives the codes and the
# bank of the payer. Everything else goes through the service.
set -euo pipefail
export LC_ALL=C
: "${PLATFORM_URL:?address of the sandbox}" "${PLATFORM_API_KEY:?}" "${PLATFORM_CHANNEL_CODE:?}"
export PLATFORM_SECRET="${PLATFORM_SECRET:?}"
CONTROL="${PLATFORM_CONTROL:-$PLATFORM_URL/control}"
API="$PLATFORM_URL/api/open/virtualBank"
WORK=$(mktemp -d)
RUN=$(openssl rand -hex 5) # makes the numbers of this run its own
LISTENER=
trap 'if [[ -n $LISTENER ]]; then kill "$LISTENER" || true; fi; rm -rf "$WORK"' EXIT

say() { printf '%-11s %s\n' "$1" "${*:2}"; }
die() { printf 'client.sh: %s\n' "$1" >&2; exit 1; }

# Reads one JSON document. `get STEP …` prints what is at that path: a step is a member's name, an element's number, or
# name=value for the element that has it; a text that holds JSON (bizData, orderList) is entered like an object.
# Numbers are printed as they are written, null and what is absent as nothing. `signed` prints what a signature is
# computed from: every member but sign that is not empty, by name (U4).
export JSON='
  use strict;
  my %plain = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");
  sub character {
    my ($escape) = @_;
    return $plain{$escape} // $escape unless $escape =~ /^u(....)(?:\\u(....))?/;
    my $text = chr(defined $2 ? 0x10000 + ((hex($1) - 0xD800) << 10) + (hex($2) - 0xDC00) : hex $1);
    utf8::encode($text);
    return $text;
  }
  sub text {
    my ($text) = @_;
    $text =~ s/\\(u[dD][89abAB]..\\u[dD][c-fC-F]..|u[0-9a-fA-F]{4}|.)/character($1)/ge;
    return $text;
  }
  sub value {
    /\G\s*/gc;
    return text($1) if /\G"([^"\\]*+(?:\\.[^"\\]*+)*+)"/gc;
    return $1 if /\G(-?\d[\d.eE+-]*|true|false)/gc;
    return undef if /\Gnull/gc;
    my ($list, %object, @array) = /\G\[/gc ? 1 : /\G\{/gc ? 0 : die "not JSON\n";
    until (/\G\s*[\]}]/gc) {
      my $item = value();
      if ($list) { push @array, $item } else { /\G\s*:/gc or die "not JSON\n"; $object{$item} = value() }
      /\G\s*,/gc or /\G(?=\s*[\]}])/gc or die "not JSON\n";
    }
    return $list ? \@array : \%object;
  }
  sub document { local $_ = $_[0]; pos = 0; my $value = value(); /\G\s*\z/gc or die "not JSON\n"; return $value }
  my ($task, @path) = @ARGV;
  my $at = document(do { local $/; <STDIN> });
  my @names = $task eq "signed" ? grep { $_ ne "sign" && length($at->{$_} // "") } sort keys %$at : ();
  $at = join "&", map { "$_=$at->{$_}" } @names if @names;
  for my $step (@path) {
    $at = document($at) if !ref $at && ($at // "") =~ /^\s*[\[{]/;
    my ($name, $wanted) = split /=/, $step, 2;
    $at = ref $at eq "HASH" ? $at->{$step} : ref $at ne "ARRAY" ? undef
      : defined $wanted ? (grep { $_->{$name} eq $wanted } @$at)[0] : $at->[$step];
  }
  print $at // "";
'

# What the last answer holds at a path, and what its bizData holds: `biz state`.
answer() { perl -e "$JSON" get "$@" <"$WORK/answer"; }
biz() { answer bizData "$@"; }

# A JSON object from name=text and name:=number (or object, or list).
object() {
  local part name value out=
  for part; do
    name=${part%%=*} value=${part#*=}
    [[ $name == *: ]] || { value=${value//'\'/'\\'} && value="\"${value//'"'/'\"'}\""; }
    out+=",\"${name%:}\":$value"
  done
  printf '{%s}' "${out#,}"
}

# The MD5 of what comes in, the secret being its last pair: upper case (U1, U2).
md5() { { cat && printf '&appSecret=%s' "$PLATFORM_SECRET"; } | openssl dgst -md5 -r | cut -c1-32 | tr a-f A-F; }

# Whether the message in a file carries the signature that belongs to it. One without is not believed.
verified() {
  local stated
  stated=$(perl -e "$JSON" get sign <"$1") && [[ -n $stated ]] || return 1
  [[ ${stated^^} == "$(perl -e "$JSON" signed <"$1" | md5)" ]]
}
export -f md5 verified

# Posts a signed envelope; the answer lies in $WORK/answer. A third argument is sent as the signature instead.
post() {
  local reqId reqTime sign
  rm -f "$WORK/answer" # an empty answer must not leave the one before in its place
  reqId=$(openssl rand -hex 16)
  reqTime=$(TZ=CST-8 date +%Y%m%d%H%M%S) # the service's clock is Beijing's (U18)
  sign=${3:-$(printf 'apiKey=%s&bizData=%s&reqId=%s&reqTime=%s&signType=MD5&version=1.0' \
    "$PLATFORM_API_KEY" "$2" "$reqId" "$reqTime" | md5)}
  object apiKey="$PLATFORM_API_KEY" bizData="$2" reqId="$reqId" reqTime="$reqTime" signType=MD5 version=1.0 \
    sign="$sign" | curl -sS --max-time 20 -H 'Content-Type: application/json' --data-binary @- -o "$WORK/answer" \
    "$API/$1" || die "$1: no answer; what became of it is unknown, a query would tell"
}

# A call that must succeed: code first, then the signature, and only then is bizData read.
call() {
  local code
  post "$1" "$2"
  code=$(answer code) || die "$1: the answer is not JSON"
  [[ $code == 000000 ]] || die "$1: refused with $code: $(answer msg)"
  verified "$WORK/answer" || die "$1: the answer's signature is wrong"
}

# Repeats a query until a member has a value: await PATH BIZDATA PATTERN MEMBER …
await() {
  local seen= try
  for try in {1..100}; do
    call "$1" "$2"
    seen=$(biz "${@:4}")
    [[ $seen =~ ^($3)$ ]] && return
    sleep 0.1
  done
  die "$1: ${*:4} was still '$seen' after $try looks"
}

# control PATH [JSON]: its answer lies in $WORK/answer too.
control() {
  curl -sS --fail-with-body --max-time 20 -o "$WORK/answer" ${2:+-H 'Content-Type: application/json' --data-binary "$2"} \
    "$CONTROL/$1" || die "control/$1: $(cat "$WORK/answer")"
}

# One push after the other: kept as push.N when its signature is right, and only then answered `success` (U39).
listener='
  use strict;
  use IO::Socket::INET;
  my ($work) = @ARGV;
  my $door = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 0, Listen => 16) or die "no port: $!\n";
  sub put {
    my ($name, $text) = @_;
    open my $to, ">", "$work/part" or die $!;
    print $to $text and close $to and rename "$work/part", "$work/$name" or die $!;
  }
  put("port", $door->sockport);
  for (my $no = 1; my $caller = $door->accept; $no++) {
    my ($length, $line, $body) = (0, "", "");
    while (defined($line = <$caller>) && $line !~ /^\r?\n/) { $length = $1 if $line =~ /^content-length:\s*(\d+)/i }
    read $caller, $body, $length;
    put("heard", $body);
    my $right = system("bash", "-c", "verified \"\$1\"", "-", "$work/heard") == 0;
    put("push.$no", $body) if $right;
    my ($status, $said) = $right ? ("200 OK", "success") : ("401 Unauthorized", "the signature is wrong");
    print $caller "HTTP/1.1 $status\r\nContent-Type: text/plain\r\nContent-Length: ", length $said,
      "\r\nConnection: close\r\n\r\n$said";
    close $caller;
  }
'

listen() {
  perl -e "$listener" "$WORK" & LISTENER=$!
  for try in {1..100}; do [[ -s $WORK/port ]] && break || sleep 0.05; done
  [[ -s $WORK/port ]] || die "the listener did not start within $try looks"
  NOTIFY="http://127.0.0.1:$(<"$WORK/port")/push"
}

# The push whose bizData has this member becomes the last answer: await_push NAME VALUE.
await_push() {
  local push try
  for try in {1..100}; do
    for push in "$WORK"/push.*; do
      [[ -e $push ]] && cp "$push" "$WORK/answer" && [[ $(biz "$1") == "$2" ]] && return
    done
    sleep 0.1
  done
  die "no push with $1 $2 came within $try looks"
}

# send_code SCENE REQNO OUTREQNO: sets FLOW, and SMS to what the phone shows (U7, U8).
send_code() {
  call "acct/sendMsg/$PLATFORM_CHANNEL_CODE" "$(object reqNo="$2" outReqNo="$3" sceneType="$1")"
  FLOW=$(biz smsFlowNo)
  control sms
  SMS=$(answer codes smsFlowNo="$FLOW" smsCode)
}

# One enterprise and one individual; their numbers are of this run, because a subject opens one account only.
digits() { perl -e 'print map { int rand 10 } 1 .. shift' "$1"; }
PERSON=(eleAcctType=1 idCardPhone=13800000000 idCard1Img=https://files.example/1.jpg
  idCard2Img=https://files.example/2.jpg idCardEffectBegin=2020-01-01 idCardEffectEnd=长期
  address='北京市东城区"槐树"胡同1号' settAccountBankBranchCode=102100000000 settAccountBankBranchName=北京支行
  bindAcctInnerFlag=0)
enterprise() {
  object "${PERSON[@]}" entPerFlag=E entType=02 idCardName=张三 idCardNo="110101$(digits 12)" settAccountType=E \
    settAccountNo="62$(digits 14)" settAccountName=测试商贸 licenseNo="91$(digits 16)" licenseName=测试商贸 \
    licenseEffectBegin=2020-01-01 licenseEffectEnd=长期 licenseAddress=北京市 \
    licenseImg=https://files.example/3.jpg regCapital=1000000 regCapCurr=CNY industryTpCd=F51 \
    agentUseCorpInfoFlag=1 businessScenario=1 businessSceneDesc=网上商城
}
individual() {
  object "${PERSON[@]}" entPerFlag=P idCardName=李四 idCardNo="110101$(digits 12)" settAccountType=P \
    settAccountNo="62$(digits 14)" settAccountName=李四 settAccountPhone=13900000000 profession=1A
}

# open ROLE SUBJECT: sets ACCOUNT when the account is opened, activated and its push has come.
open() {
  local out="open$1$RUN" req
  call acct/addApply "$(object ifCode="$PLATFORM_CHANNEL_CODE" outReqNo="$out" acctRole="$1" subjectInfo:="$2" \
    notifyUrl="$NOTIFY")"
  req=$(biz reqNo)
  send_code OPEN "$req" "$out"
  call acct/auditApply "$(object smsFlowNo="$FLOW" smsCode="$SMS" reqNo="$req" outReqNo="$out")"
  await acct/auditApplyResult "$(object reqNo="$req" outReqNo="$out")" '.+' accountNo
  ACCOUNT=$(biz accountNo)
  say "opening $1" "request $req opened account $ACCOUNT, accountState $(biz accountState)"
  await_push reqNo "$req"
  [[ $(biz accountNo) == "$ACCOUNT" ]] || die "the push of $req names another account"
  say "push $1" "signature right, state $(biz state), account $(biz accountNo)"
  await acct/queryInfo "$(object accountNo="$ACCOUNT")" 1 accountState
}

# The fee of an order when it lies outside its amount (U35); withdrawals may call it by its other name (U48).
fee_outside() {
  local fee=0
  if [[ $(biz "$@" feeType) == ACCOUNT ]]; then fee=$(biz "$@" mchFee); fi
  printf '%s' "${fee:-$(biz "$@" fee)}"
}

listen
open FQ "$(enterprise)"
PAYER=$ACCOUNT
open JS "$(individual)"
PAYEE=$ACCOUNT

post acct/queryInfo "$(object accountNo="$PAYER")" 0123456789ABCDEF0123456789ABCDEF
[[ $(answer code) != 000000 && -z $(biz) ]] || die 'a wrong signature was accepted'
say 'wrong sign' "refused with $(answer code): $(answer msg)"
forged=$(curl -sS -d '{"bizData":"{}","sign":"0123456789ABCDEF0123456789ABCDEF"}' "$NOTIFY")
[[ $forged == 'the signature is wrong' ]] || die "a forged push was answered '$forged'"
say 'wrong push' "refused: $forged"

# The bank of a payer sends 1,000.00 yuan.
control clock
control deposits "$(object deposits:="[$(object payeeAcctNo="$PAYER" amountFen:=100000 depositTime="$(answer now)")]")"
await query/deposit "$(object startDate="$(TZ=CST-8 date -d yesterday +%F)" endDate="$(TZ=CST-8 date -d tomorrow +%F)" \
  payeeAcctNo="$PAYER" page:=1 pageSize:=100)" 1 total # the end date may not count (U44)
payer=$(biz depositList 0 realAmount)
say deposit "$(biz depositList 0 orderNo) of $(biz depositList 0 amount) fen, $payer credited"

batch="batch$RUN" payee=0
order() { object outOrderNo="$1" body=货款 amount="$2" payeeAcctNo="$PAYEE"; }
call division/pay "$(object outBatchNo="$batch" payerAcctNo="$PAYER" num:=2 amount:=50000 currency=CNY \
  clientIp=127.0.0.1 orderList="[$(order "a$RUN" 30000),$(order "b$RUN" 20000)]" payMethod:=1 notifyUrl="$NOTIFY")"
say transfer "batch $batch of two orders is $(biz state)"
await_push outBatchNo "$batch"
say push "signature right, batch $batch is $(biz state)"
await division/query "$(object outBatchNo="$batch")" SUCCESS state
for no in "a$RUN" "b$RUN"; do
  at=(orderList outOrderNo="$no")
  real=$(biz "${at[@]}" realAmount)
  say order "$no is $(biz "${at[@]}" state), $real fen credited"
  payer=$((payer - $(biz "${at[@]}" amount) - $(fee_outside "${at[@]}")))
  payee=$((payee + real))
done

call acct/queryInfo "$(object accountNo="$PAYEE")"
send_code REFUND "$(biz openReqNo)" "refund$RUN"
call division/refund "$(object outBatchNo="$batch" outOrderNos="b$RUN" \
  channelExtra="$(object smsCode="$SMS" smsFlowNo="$FLOW")")"
# The amount is stated while the refund is still on its way; the state says when it has come (U36).
await division/query "$(object outBatchNo="$batch")" REFUND orderList outOrderNo="b$RUN" state
refund=$(biz orderList outOrderNo="b$RUN" refundAmount)
payer=$((payer + refund)) payee=$((payee - refund))
say refund "b$RUN is REFUND, $refund fen went back"

call account/withdraw "$(object outOrderNo="w$RUN" acctNo="$PAYEE" amount:=12345)"
say withdrawal "w$RUN is $(biz state)"
await account/queryWithdraw "$(object outOrderNo="w$RUN")" SUCCESS state
payee=$((payee - $(biz amount) - $(fee_outside)))
say withdrawal "w$RUN is SUCCESS, $(biz amount) fen less, $(biz realAmount) paid out"

call get/transFiles "$(object transType=3 outOrderNo="a$RUN")"
biz fileList 0 file | openssl base64 -d -A >"$WORK/voucher"
[[ $(head -c 5 "$WORK/voucher") == %PDF- ]] || die 'the voucher is no PDF'
say voucher "of order a$RUN: PDF of $(wc -c <"$WORK/voucher") bytes"

agree=yes
for account in "FQ $PAYER $payer" "JS $PAYEE $payee"; do
  read -r role no expected <<<"$account"
  call acct/queryInfo "$(object accountNo="$no")"
  stated="$(biz balance) $(biz frozen) $(biz availableBalance)"
  [[ $stated == "$expected 0 $expected" ]] || agree=no # nothing is frozen, all of it available (U23)
  say "balance $role" "$no expected $expected, stated ${stated%% *}"
done
[[ $agree == yes ]] || die 'the balances differ'
say verdict 'all agree'
