"""Markup that separates the roles of a conversation, calls tools, or hides words from the reader of a page."""

from __future__ import annotations

from memory_layer.text.injection.commands import COMMANDS
from memory_layer.text.injection.signs import DROP, FENCE, HIDDEN, MODEL, NOT, ROLE, TOOL_CALL, Sign

#: Words that address an agent, not the reader of the page.
_ADDRESSED = (
    r"\b(?:agents?|assistants?|ai|llms?|claude|copilot|chatgpt|gpt|codex|you (?:must|should|are|have|need"
    r"|will|can)|the user|(?:ignore|disregard|forget) (?:all|any|the|previous|your|prior)|instructions?"
    r"|system prompt|secretly|do not (?:tell|mention)|anweisung\w*|instruc\w+|istruzioni|инструкци\w*)\b|指令"
    r"|指示|지시"
)
_MARKS = ("[", "[ ", "(", "{", "【", "*", "# ", "#", "=", "-", "- ", "<")
_ABOVE = ("system", "admin", "operator", "developer", "root")
_ROLES = (
    Sign(ROLE, (("<|",),), r"<\| ?[a-z][a-z_▁ ]{1,30}\|> ?(?:system|user|assistant|developer|tool)\b"),
    Sign(
        ROLE,
        (("<|",),),
        r"<\| ?[a-z][a-z_▁ ]{1,30}\|>",
        unless=(
            r"\b(?:templates?|tokens?|tokeni[sz]\w*|delimiters?|markers?|separators?|stop (?:words?"
            r"|sequences?))\b"
        ),
    ),
    Sign(
        ROLE,
        (("inst]", "sys>>", "_of_turn>"),),
        r"\[/inst\]|(?:^|[.!?:>] )\[inst\]|<</?sys>>|<(?:start|end)_of_turn>",
    ),
    Sign(
        ROLE,
        (("###",),),
        r"### ?(?:system|instructions?|human|assistant|developer)(?: (?:prompt|message))? ?:",
    ),
    Sign(
        ROLE,
        (("<",), ("system", "assistant", "developer", "human", "instruction", "<user", "</user")),
        r"</?(?:system(?:[-_ ]?(?:prompt|message|reminder|instructions?|override|note))?|assistant|developer"
        r"(?:[-_](?:message|prompt))?|human|instructions?|user[-_](?:query|message|prompt|input))(?: [^<>]{0,80})?>",
    ),
    Sign(
        ROLE,
        (("{",), ("role",), ("content",)),
        r"\{ ?[\"']role[\"'] ?: ?[\"'](?:system|developer|assistant)[\"'] ?, ?[\"']content[\"'] ?:",
    ),
    Sign(
        ROLE,
        (("system",), (":",)),
        r"(?:^|[.!?\]>*-] ?)[\[(]?system(?: (?:message|prompt|override|notice|instruction|alert|update"
        r"|directive))?(?: v?[\d.]+)?[\])]? ?: ?"
        rf"(?:you (?:are|must|will|should)|{DROP}|from now on|the {MODEL}|the user|all |new |{NOT}"
        rf"|confirmation|permission|approval|access|agents?|assistants?|proceed)\b",
    ),
    Sign(
        ROLE,
        (tuple(f"{mark}{name}" for mark in _MARKS for name in _ABOVE),),
        r"(?:^|[.!?>:)] ?)[\[({<【*#=-]{1,4} ?(?:system|admin(?:istrator)?|operator|developer"
        r"|root)(?: (?:message|prompt|override|notice|note|update|alert|instructions?|command|policy"
        r"|directive|reminder))?(?:, [^\])}]{1,60})? ?[\])}>】*#=-]{1,4}",
        also=(
            rf"\b(?:you|your|{MODEL}s?|the user|{DROP}|{NOT}|instructions?|confirm\w*|permissions?|access"
            r"|grant\w*|execute|comply|mandatory|obey)\b"
        ),
    ),
    Sign(
        ROLE,
        (("begin",), ("override", "instruction", "prompt"), ("end",)),
        r"\bbegin (?:(?:system|admin|trusted|new|hidden) )?(?:override|instructions?|prompt)\b.{0,600}?\bend\b",
    ),
    Sign(
        ROLE,
        (("override",), ("system", "admin", "operator", "root")),
        r"\b(?:system|admin|operator|root) override ?(?:[:\])!.]|$|code\b|accepted\b|active|mode)",
    ),
    Sign(
        ROLE,
        (
            tuple(
                "系统 系統 システム 시스템 النظام सिस्टम системн sistema systeme systemnachricht systemmeldung".split()
            ),
        ),
        r"[\[【(「] ?(?:系统|系統|システム|시스템)[^\]】)」]{0,8}[\]】)」]"
        r"|(?:^|[.!?。] ?)(?:系统|系統|システム|시스템)(?:消息|提示|通知|指令|訊息"
        r"|メッセージ|プロンプト| ?메시지| ?알림)? ?[::]|(?:^|[.!?] |[\[(])(?:رسالة النظام|رسالة من النظام|सिस्टम संदेश"
        r"|системное (?:сообщение|уведомление)|(?:mensaje|mensagem) d[eo]l? sistema|message (?:du )?systeme"
        r"|messaggio di sistema|systemnachricht|systemmeldung) ?[:\])]",
    ),
    Sign(
        ROLE,
        (
            ("human:", "user:", "human :", "user :"),
            ("assistant", "ai:", "claude", "model:", "chatgpt", "bot:"),
        ),
        r"(?:^|[.!?\]>)\"'] ?)(?:human|user) ?: .{1,600}?(?:^|[.!?\]>)\"'] ?)(?:assistant|ai|claude|model"
        r"|chatgpt|bot) ?: ",
        unless=(
            r"\b(?:examples?|commentary|fixtures?|formats?|formatted|parse[ds]?|look like|turn per line"
            r"|schema|templates?|transcripts?|stored as|logged as|prefix\w*)\b"
        ),
    ),
    Sign(
        ROLE,
        (
            ("user:", "human:", "operator:", "assistant:", "admin:", "user (", "owner:"),
            ("yes", "ok", "sure", "good", "approve", "confirm", "i ", "go ahead", "understood"),
        ),
        r"(?:^|[.!?\]>)-] ?)(?:user|human|operator|assistant|admin"
        r"|owner)(?: \([^)]{1,20}\))? ?: [\"']?(?:yes|ok|okay|sure|good|approved|confirmed|i (?:approve"
        r"|confirm|agree|consent|authori[sz]e|give|hereby|will|have|want you)|go ahead|of course"
        r"|understood)\b",
    ),
    Sign(
        ROLE,
        (
            ("begin", "start", "end"),
            ("prompt", "instruction", "input", "context", "conversation", "untrusted", "memor"),
            ("--", "==", "##", "<<", "[[", "**", "~~"),
        ),
        r"[-=#*<\[~]{2,} ?(?:begin|start|end)(?:ing)?(?: of)?(?: the)? (?:new |hidden |secret |real "
        r"|trusted |user |system |untrusted |developer ){0,2}(?:prompt|instructions?|input|context"
        r"|conversation|untrusted|memor(?:y|ies))",
    ),
    Sign(
        ROLE,
        (
            tuple(
                (
                    "<important <admin <override <directive <secret <hidden <priority <agent <ai <policy "
                    "<injected"
                ).split()
            ),
        ),
        r"</?(?:important|admin|override|directive|secret|hidden|priority|agent|ai|policy"
        r"|injected)(?:[-_ ](?:instructions?|message|note|directive|override|update|rules?))?>",
        also=rf"\b(?:you|your|{MODEL}s?|the user|{DROP}|before (?:using|you))\b",
    ),
    Sign(
        FENCE,
        (
            ("</", "end of", "end memor"),
            ("memor", "recalled", "untrusted", "injected", "retrieved", "</context", "</data"),
        ),
        r"</ ?(?:memor(?:y|ies)|recalled|untrusted|injected|retrieved)[\w-]{0,30} ?>|\A(?:(?!<(?:context"
        r"|data)\b).)*</(?:context|data)>|[-=#\[]{1,8} ?end (?:of )?(?:the )?memor(?:y|ies)",
    ),
)
_CALLS = (
    Sign(
        TOOL_CALL,
        (("tool_", "function_", "antml", "<invoke", "<function=", '"allow"', "'allow'"),),
        r"</?(?:tool_(?:calls?|use|code|results?|response|outputs?)|function_(?:calls?|results?))[ >:/]"
        r"|</?antml:|<invoke name|\[/?(?:tool_(?:calls?|results?|outputs?|response)|function_results?"
        r"|available_tools)\b[^\]]{0,80}\]|<function=\w|[\"']allow[\"'] ?: ?\[ ?[\"'](?:\*|bash\(?\*?)"
        r"|[\"'](?:tool_calls|function_call)[\"'] ?: ?[\[{]|: ?[\"'](?:tool_use|function_call)[\"']",
    ),
    Sign(
        TOOL_CALL,
        (
            ("{",),
            ("arguments", "args", "input", "param"),
            ("tool", "function", "recipient", "action", "name"),
        ),
        r"\{ ?[\"'](?:tool|tool_name|tool_call|function|function_name|recipient_name"
        r"|action)[\"'] ?: ?[\"'][^\"']{1,80}[\"'] ?,[^{}]{0,200}?[\"'](?:arguments|args|input"
        r"|param(?:eter)?s|tool_input|action_input)[\"'] ?: ?[{\"'\[]"
        r"|\{ ?[\"']name[\"'] ?: ?[\"'][^\"']{1,80}[\"'] ?, ?[\"']arguments[\"'] ?: ?[{\"']",
    ),
)
_UNSEEN = (
    Sign(
        HIDDEN,
        (("<!--", "[//]: #", "[comment]: #", "{white}"),),
        rf"(?:<!--|\[(?://|comment)\]: # ?[(\"'<]|\\(?:text)?color\{{white\}})(?:(?!-->).){{0,600}}?{_ADDRESSED}",
    ),
    Sign(
        HIDDEN,
        (("alt", "title", "aria-", "data-", "content"), ("<",), ("=",)),
        r"<[a-z]\w*\b[^<>]{0,200}?(?:alt|title|aria-label|content|data-[\w-]+) ?= ?[\"'][^\"']{0,120}?"
        r"\b(?:agents?|assistants?|ai|llms?|claude|copilot|chatgpt)s?(?: \w+)?(?:[:,]| (?:must|should|have to)\b)",
    ),
    Sign(
        HIDDEN,
        (
            tuple("display visibility font-size opacity color hidden -9999 text-indent left".split()),
            ("<",),
            (">",),
        ),
        r"<[a-z]\w*\b[^<>]{0,300}?(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?:px|pt|em"
        r"|%)?\b|opacity ?: ?0(?:\.0\d*)?\b"
        r"|color ?: ?(?:white|#fff\w*|transparent)|(?:left|top|text-indent) ?: ?-\d{3,}|\bhidden\b)[^<>]{0,300}>"
        rf"(?:(?!</).){{0,500}}?(?:{_ADDRESSED}|\b(?:send|run|execute|push|delete|upload|post|ignore|disregard)\b)",
    ),
)

#: Signs in syntax, found by their punctuation.
SYNTAX: tuple[Sign, ...] = tuple(
    sign._replace(is_syntax=True) for sign in (*_ROLES, *_CALLS, *COMMANDS, *_UNSEEN)
)
