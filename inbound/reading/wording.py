"""The words and phrases around a command in a reply: those to skip, and those that make it doubtful.

Phrases are separated by "|". Apostrophes may be missing, as in "ill" and "dont".
"""

from games.engine.phrases import words_of

Phrases = tuple[tuple[str, ...], ...]


def phrases(*lists: str) -> Phrases:
    """Return each phrase as its words, with the longest phrases first."""
    found = {tuple(words_of(phrase)) for each in lists for phrase in each.split("|")}
    found |= {tuple(word.replace("'", "") for word in phrase) for phrase in found}
    return tuple(sorted(found, key=lambda phrase: (-len(phrase), phrase)))


def vocabulary(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Phrases that may precede a move in the same sentence. None of these phrases is a negation, a question or a wish, or is
# about someone else. These may precede any move, even a number on its own.
BEFORE_ANYTHING = phrases(
    "please|pls|plz|kindly|just|simply|now|then|so|well|alright|all right|sure|right ,|ok|okay|yes|yep|yeah|fine",
    "my move is|my move will be|my move|move|my choice is|my choice|my answer is|my answer|answer|action|play :",
    "my decision is|my decision|decision|my pick is|my pick|my vote is|my vote|option|no choice|not much choice",
    "i have no choice|here is my move|here's my move|here goes|here we go|for me|for my turn|for this turn|this time",
    "for my move|for this auction|for this round|in this auction|decision made|choice|my go",
    "decided|final answer|my final answer|final decision|my final decision|here's my bid",
    "here is my bid|this is my move|this is my bid|my bid|here you go|here you are|there you go|definitely|this turn",
    "i've decided|i have decided|i've decided on|i have decided on|yay|ugh|oh well|aha|ta|bitte|por favor|per favore",
    "after much thought|after some thought|after careful thought|after some thinking|after much thinking|easy ,",
    "after careful consideration|after much consideration|after long consideration|after a long think|easy one",
    "i'll risk it|i'll chance it|feeling lucky|i feel lucky|i'm feeling lucky|as always|as usual|for once|why not ,",
    "whatever|without hesitation|here goes nothing|can't resist|i can't resist|phew|whew|hooray|perfect|lovely",
    "why not :|feeling brave|i'm feeling brave|excellent|awesome|super|brilliant",
    "great ,|good ,|cool ,|nice ,|obviously|clearly|naturally|on my turn|it's my turn|my turn",
    "tough one|tough choice|hard choice|difficult choice|hard to say|couldn't resist|i couldn't resist|could "
    "not resist",
    "i could not resist|certainly|could not be easier|couldn't be easier|bitte einmal|einmal|mein zug|mein zug "
    "ist|mon coup|la mia mossa|mi jugada|minha jogada|mijn zet|here are|these are",
)
# These say nothing about the match, so a number after them needs a comma: "happy new year 17" may be anything.
SOCIAL = phrases(
    "thanks|thank you|thx|hm|hmm|ah|oh|sorry|sorry for the delay|sorry for the wait|sorry for the late reply",
    "sorry i'm late|sorry for being late|sorry for being so late|apologies|apologies for the delay|lol|hehe|haha|ha",
    "sorry for my late reply|sorry about the delay|sorry for keeping you waiting|tnx|tks|thanx|thankyou|many thanks",
    "thanks a lot|good morning|good evening|good afternoon|good day|hello|hi|hey|merry christmas|long time no see",
    "back again|i'm back|wow|ooh|oops ,|oops -|oops :|yippee|danke|merci|gracias|grazie|hallo|bonjour|ciao",
    "no problem|no worries",
    "sounds good|with pleasure|gladly|damn|argh|uh|uhm|um|eh|ehm|err|er|meh|oh no|oh dear",
    "k|kk|yo|welp|aight|yolo|woohoo|woo|okey|okey dokey|oki|okie|okidoki|alrighty|righto|ok then|okay then|right then",
    "gg|np|heh|hihi|hahaha|omg|rofl|lmao|ooh|oooh|aww|eek|yikes|whoa|woah|boo|gah|grr|soo|ahh|ohh|heyy|hii|hee hee",
)
# These may precede a move, but never a number on its own: "it's 25", "today: 25" and "happy new year 17" aren't bids.
BEFORE_A_PHRASE = phrases(
    "and|it's|so it's|today|happy new year|again|finally|i vote|i vote for|i'd like|i would like|i'd love|i want",
    "let's say|i'll say|i'd like to go with|i will go ahead and|go ahead and|i'll go ahead and|i'd prefer|i prefer",
    "i think|i guess|i say|i'd say|i'll try|let me try|let's try|i'll gamble|let's gamble|i'll gamble and|i'm done",
    "let's see what's next|let's see what comes|let's see what happens|let's see what comes next|i waited for this",
    "i've waited for this|i have waited for this|i'll try my luck and|i try my luck and|risky but|hard to say "
    "but|risky ,",
    "i'll risk|let the others have it ,|no idea ,|no idea what to do ,|i don't know ,|i don't know what to do ,|"
    "let's go|here we are",
    "gern|gerne|dann|na gut|na dann|na ja|also gut|nun|jetzt|alors|bon|d'accord|allora|va bene|bene|dai|entonces|vale",
    "então|vamos|okej|graag",
    "i'll take my chances|i'll take my chances and|that's enough for me|i stop here|i'll stop here|i'll stop here and",
)
# These need a verb after them, because "I'll be 60" isn't a bid.
BEFORE_A_VERB = phrases(
    "first|gonna|going to|want to|would like to|i|i'll|i will|i shall|i do|i'd like to|i would like to|i'd love to",
    "i want to|i wish to|i hereby|i wanna|i'm going to|i am going to|i'm gonna|imma|i choose to|i decide to",
    "i decided to|i'd better",
    "i have decided to|i've decided to|i think i'll|i think i will|i guess i'll|i guess i will|i'll just|i'll go and",
    "let me|let's|let us|time to|my move is to|my choice is to|my decision is to|i vote to|i'd like to please",
    "i'm happy to|i am happy to|happy to|guess i'll|think i'll|reckon i'll|suppose i'll|i suppose i'll|i reckon i'll",
    "i believe i'll|guess i will|will|think i will|time for me to|i'll have to|i will have to|i'll need to|i need to",
    "i have to|i must|i'd prefer to|i prefer to|i'd rather|i think i|i guess i|i'll now|i'll simply|i'm ready to",
    "ich|ich möchte|ich möchte gern|ich möchte gerne|ich will|ich würde gern|ich würde gerne|je|je voudrais|je veux|io",
    "vorrei|voglio|yo|quiero|quisiera|me gustaría|eu|quero|gostaria de|ik|ik wil|ik wil graag",
)
# These need a verb that ends in -ing.
BEFORE_A_PARTICIPLE = phrases("i'm|i am|i'll be|i will be")
BEFORE_A_MOVE = (
    *BEFORE_ANYTHING,
    *SOCIAL,
    *BEFORE_A_PHRASE,
    *BEFORE_A_VERB,
    *BEFORE_A_PARTICIPLE,
)
AFTER_A_MOVE = phrases(
    "please|pls|plz|thanks|thank you|thx|ty|many thanks|thanks a lot|thank you very much|thanks so much|thanks again",
    "thank you so much|cheers|then|now|this time|for me|for my turn|for this turn|it is|i guess|it'll be|it shall be",
    "i think|i suppose|of course|definitely|as my move|as my turn|as my bid|ok|okay|good luck|good luck everyone",
    "good luck all|good luck everybody|gl|hf|have fun|have a nice day|have a good day|have a great day",
    "have a nice weekend|have a nice evening|pretty please|best wishes|best regards|kind regards|regards|yay|haha",
    "lol|ha|hehe|that's it|that's all|from me",
    "in this round|this round|right now|sorry|sorry for the delay|sorry for the wait|sorry for the late reply",
    "sorry i'm late|that's my move|is my move|is my choice|is my bid|is my answer|would be great|thank you all",
    "your turn|your move|over to you|have a good one|good game|great game|nice game|fun game|take care",
    "that would be great|that would be nice|bitte|danke|merci|gracias|grazie|por favor|per favore|prego",
    "s'il vous plaît|s'il te plaît|svp|stp",
    "tnx|tks|thanx|thankyou|ta|from my side|on my side",
    "if you please|thanks in advance|thank you in advance|with thanks|thanks very much|thanks all|thanks everyone",
    "much obliged|appreciated|much appreciated|is my pick|is my decision|that's my choice|that's my pick|that's my bid",
    "that's my answer|that is my move|is what i want|bye|see you|see you soon|ciao|xx|xxx|wish me luck|ta very much",
    "fingers crossed|here we go|let's go|why not|without hesitation|as usual|as always|4 me|for this one",
    "and thanks|and thank you|and good luck|and have fun|and cheers|for my move|for sure|obviously",
    "naturally|i reckon|i believe|this turn|on my turn|thanks for asking|thank you for asking",
    "lg|vg|mfg|gruß|grüße|liebe grüße|viele grüße|lieben gruß|danke schön|dankeschön|vielen dank|herzlichen dank",
    "danke dir|danke euch|für mich|viel glück|viel spaß|bis bald|bis dann|tschüss|schönen tag|schönen abend",
    "schönes wochenende|merci beaucoup|merci bien|pour moi|bonne chance|bonne journée|bonne soirée|bises|à bientôt",
    "mille grazie|grazie mille|per me|buona giornata|buona serata|buona fortuna|saluti|muchas gracias|para mí|suerte",
    "saludos|un saludo|obrigado|obrigada|muito obrigado|muito obrigada|para mim|boa sorte|abraços|dank je|"
    "bedankt|groetjes",
    "tack|tusen takk|takk|kiitos|graag|alsjeblieft|alstublieft|dank u|sorry guys|sorry all|sorry everyone|sorry folks",
    "sorry everybody|final answer|my final answer|that's final|asap|good night|and good night|goodnight",
    "danke und liebe grüße|danke und viele grüße|und danke|und liebe grüße|und viele grüße|und einen schönen abend",
    "und einen schönen abend noch|und einen schönen tag|und einen schönen tag noch|und ein schönes wochenende",
    "einen schönen abend|einen schönen tag|schönen abend noch|schönen tag noch|gute nacht|et merci|merci et "
    "bonne journée",
    "merci et bonne soirée|bonne nuit|buona notte|buenas noches|boa noite|gracias y saludos|y gracias|e grazie",
)
# These may follow a move, but not a number on its own: "25 today" and "12 again" aren't bids.
AFTER_A_PHRASE = phrases(
    "again|today|first|over|done|as well|too|indeed|at last|finally|once again|once more|one more time|yet again|it",
)
# These need a comma before them, because "the second best" isn't a row.
AFTER_A_COMMA = phrases("best|my best|all best|love|yours")
TO_OTHERS = phrases("sorry|thanks|thank you|cheers|good luck|your turn|your move|over to you|well played|nice one")
# These come after a comma or after "thanks", because "12 guys" may be twelve guys.
COMPANY = phrases(
    "my friend|my friends|friends|guys|folks|all|everyone|everybody|y'all|mate|mates|buddy|pal|dude|team|people|"
    "you all",
    "turnpost|dear turnpost|server|dear server|bot|dear bot|computer",
)
GIVES_A_REASON = frozenset(["because", "cause", "cos", "coz", "since"])
# A remark may follow a move after a comma. It must begin with one of these phrases and have only these words, so that
# nothing in it can be a condition, a limit or another move.
REMARKS_BEGIN = phrases(
    "it's|it is|that's|that is|this is|i feel|i feel like|feeling|i need|i want|i like|i love|i collect|i know|i see",
    "i can't wait|can't wait|i'm happy|i'm glad|i'm curious|i'm excited|i'm feeling|i'm sorry|sorry|what a|what an|so",
    "let's see|we'll see|let us see|come on|better|nice|great|good|lovely|not bad|hoping|hopefully|i'm hoping|my",
    "i have|i can|i hope|hope|i had|i've got|i got|i've been|been|finally|at last|too|very|really|and hope",
    "see|pray|i am happy|i am glad|i am curious|i am excited|i am feeling|i am sorry|i am hoping|i have been|i "
    "have got",
    "cannot wait|i cannot wait|we will see|i was|we were|i've had|we had|kids|the kids|my kids|work",
    "because|cause|cos|coz|since",
)
# A remark that begins like this may also come before a move and a comma: "I need more luck, so I draw".
EXPLAINS = phrases(
    "i need|i want|i like|i love|i collect|i've got|i have got|i feel|i feel like|i'm feeling|it's|it is|that's|that is"
)
# A name may follow these: "draw, and greetings from Lisbon".
GREETS = phrases(
    "greetings from|greetings to|regards from|regards to|love from|love to|hello from|hello to|hi from|hi to",
    "cheers from|best from|grüße aus|grüße an|viele grüße aus|liebe grüße aus|schöne grüße aus|lg aus|gruß aus",
    "un saluto da|saluti da|saludos de|saludos desde|bises de|abraços de",
)
REMARK_WORDS = vocabulary(
    "a an the this that these it it's its my mine me i i'm i've am is are be been so such very too really quite pretty "
    "much best better good great nice lovely fun cool exciting interesting lucky luck happy glad sad sorry crazy risky "
    "brave tough hard difficult easy safe beautiful wonderful fantastic awesome super amazing big enough favorite "
    "favourite color colour colors colours need want like love hope know feel feels feeling see what what's "
    "comes come happens next "
    "can can't get got have has for to of in with and wait game match move fun choice decision risk gamble that's "
    "today again here there thing joy chance day us let's hoping something anything i'll will bring brings "
    "curious excited curious pity shame dream perfect useful helpful missing set collection bit little more points "
    "busy away ill sick while been were was had work kids travelling traveling hectic stressful hike trip back "
    "point worth"
)
# Wishes for the others, which may follow a move after a comma.
WISHES_BEGIN = phrases(
    "hope|i hope|hoping|good luck|have|have a|see you|enjoy|wish|i wish|wishing|all the best|best wishes|greetings",
    "take care|happy|merry|a happy|a merry|a good|a nice|a great|thanks for|thank you for|many thanks for",
    "thanks to|sorry for|sorry about|sorry that",
)
WISH_WORDS = vocabulary(
    "a an the this that it it's is are was be you you're your all everyone everybody well fine good great nice lovely "
    "wonderful happy merry fun luck day weekend evening morning night afternoon week holiday holidays vacation time "
    "christmas easter new year birthday game games match play playing waiting patience reply delay wait late my me i "
    "i'm we us and for of in with to there here doing enjoying having had have has enjoy soon again next round family "
    "kids the weather sun summer winter spring autumn feel feeling better get keeping long so very much being slow "
    "wish wishes best luck friends folks guys too as"
)
BETWEEN_MOVES = phrases(
    "and|then|and then|, then|, and|, and then|,|;|&|+|-|; then|- then|- >|> |after that|, after that"
)
# Words that can surround a move that is only a number, or only an answer.
BARE = vocabulary(
    "the my and no nr st nd rd th both only just yes yep yeah yup y ok okay sure of course certainly absolutely "
    "definitely nope nah n ja nein oui non"
)
SEPARATORS = {",", ";", "-", "(", ")", ":", '"', "'", "*", "_", "~"}

# Words that never come before a move that the author wants: sarcasm, and questions without a question mark.
NOT_STATED = phrases(
    "yeah right|ya right|sure sure|first and|as if|like i'm|like i would|like i'd|in your dreams|dream on|very funny",
    "not not|three cheers|3 cheers|out today|again and again",
    "will i|will we|am i|do i|have i|shall i|may i|can i|could i|should i|would i|must i|did i|was i|is it|are we",
)
# A sentence that begins like this and names a move only says what its author doesn't want.
REFUSES = phrases(
    "i don't want|i don't want to|i do not want|i do not want to|i don't need|i do not need|i don't like|i do not like",
    "i won't|i will not|i'm not|i am not|i'm not going to|i am not going to|i'd rather not|i would rather not",
    "i don't care for|i have no use for|don't|do not|not|definitely not|certainly not",
)
BEFORE_A_REFUSAL = phrases(
    "no|nope|nah|well|hm|hmm|oh|ok|okay|sorry|thanks|thank you|please|i think|actually ,|today|this time"
)
BETWEEN_REFUSALS = frozenset(["or", "nor"])
AFTER_A_REFUSED_MOVE = phrases("any more|anymore|at all|any longer")
# After a refusal and a comma, a move must begin like this, because "not row 1, row 2" may refuse both.
LEADS_ON = frozenset(["so", "but"])
AFTER_A_REFUSAL = LEADS_ON | {"i", "i'll", "ill", "i'd", "i'm", "im"}
# After a sentence that refuses a move, a move with one of these may be refused, too: "And row 2.", "Row 2 as well."
CONTINUES = frozenset(["and", "plus"])
ADDS = phrases("too|as well|also|again")
# A sentence that begins like this corrects an earlier one.
CORRECTS = phrases(
    "i meant|i mean|i meant to say|i meant to write|i wanted to say|i wanted to write|what i meant was|correction",
    "i actually meant|my correction|it should be|that should be|it should have been|that should have been",
)
BEFORE_A_CORRECTION = phrases("sorry|oops|oh|ah|oh no|argh|no|well|so sorry|my bad|apologies|excuse me|wait")
# A question after a move that doesn't ask anything.
TAGS = phrases(", why not ?")
# A player who says this and then names a move means someone else's move.
HANDS_OVER = phrases("your turn|your move|your go|over to you|you're next|you are next|you're up|go ahead")

# Sentences and standalone lines that say nothing about the match.
GREETINGS = phrases(
    "hi|hello|hey|hiya|howdy|dear|good morning|good afternoon|good evening|good day|morning|evening|greetings",
    "hallo|guten morgen|guten tag|guten abend|moin|moin moin|servus|liebe|lieber|liebes|bonjour|bonsoir|salut|cher",
    "chère|ciao|buongiorno|buon giorno|buonasera|salve|caro|cara|olá|oi|bom dia|boa tarde|boa noite|hi there",
    "hello there|hey there|hi again|hello again|to whom it may concern|dear sir or madam|hola|hej|hei|hoi|ahoj|cześć",
)
SIGN_OFFS = phrases(
    "best|best regards|best wishes|kind regards|warm regards|warmest regards|regards|cheers|yours|yours truly",
    "yours sincerely|sincerely|love|hugs|xoxo|greetings|greets|bye|bye bye|goodbye|see you|see you soon|cu|take care",
    "all the best|thanks|thank you|many thanks|ciao|viele grüße|liebe grüße|beste grüße|schöne grüße|freundliche grüße",
    "mit freundlichen grüßen|mfg|lg|vg|grüße|gruß|viele gruesse|liebe gruesse|cordialement|bien cordialement|bises",
    "amicalement|à bientôt|cordiali saluti|saluti|un saluto|abraço|abraços|cumprimentos|atenciosamente|groetjes|hilsen",
)
# These sign-offs end the author's text. After the others, the text often continues.
FINAL_SIGN_OFFS = phrases(
    "best regards|best wishes|kind regards|warm regards|warmest regards|regards|cheers|yours|yours truly",
    "yours sincerely|sincerely|xoxo|goodbye|take care|all the best|viele grüße|liebe grüße|beste grüße|schöne grüße",
    "freundliche grüße|mit freundlichen grüßen|mfg|lg|vg|grüße|gruß|cordialement|bien cordialement|amicalement",
    "cordiali saluti|saluti|abraço|abraços|cumprimentos|atenciosamente|groetjes|hilsen",
)
IDLE = phrases(
    "can't wait|i can't wait|can't wait to see it|no choice|i have no choice|not much choice|bye|see you|let's go",
    "thanks|thank you|thx|ty|many thanks|thanks a lot|thank you very much|thanks so much|thanks again",
    "thank you so much|thanks for the game|thanks for playing|good luck|good luck everyone|good luck all",
    "have fun|gl|hf",
    "good luck to all|good game|great game|nice game|well played|nice move|nice one|sorry|sorry for the delay",
    "sorry for the wait",
    "sorry for the late reply|sorry for my late reply|sorry i'm late|apologies for the delay|sorry about the delay",
    "sorry for being late|no worries|no problem|no rush|no hurry|no stress|cool|great|fun|haha|lol|wow|oh my|yay",
    "hmm|hm|ah|oh|all good|here is my move|here's my move|here goes|here we go|my move|my turn|that's it",
    "here it is|that's all",
    "have a nice day|have a good day|have a great day|have a nice weekend|have a good weekend|have a nice evening",
    "hope you're well|hope you are well|hope you are all well|hope all is well|hope this works|i hope this works",
    "i hope this is right|hope that's right|fingers crossed|wish me luck|your turn|your move|over to you|it's my turn",
    "ps|p s|you too|same to you|likewise|exciting|interesting|how exciting|take care|ok|okay|alright|fine|good",
    "let's see|let's see what happens|we'll see|not bad|not too bad|tough one|tough choice|difficult one|easy one",
    "nothing else|and nothing else|nothing more",
    "not much choice here|can't complain|cannot complain|no rush at all|no hurry at all|no problem at all",
)

# "Hmm" after a move sounds undecided.
IDLE_AFTER_A_MOVE = tuple(phrase for phrase in IDLE if phrase not in {("hmm",), ("hm",), ("ah",), ("oh",)})

# If a sentence isn't understood and contains one of these words, no move in the email is played.
RETRACTIONS = phrases(
    "wait|actually|cancel|ignore|undo|nevermind|never mind|kidding|just kidding|joking|just joking|oops|instead|rather",
    "correction|scratch that|strike that|unless|if|unsure|undecided|changed my mind|change my mind|second thought",
    "second thoughts|hold on|hang on|not yet|not really|not sure|only if|or not|think about it|let me think|i mean",
    "i meant|disregard|scrap that|forget it|forget that|don't do it|don't play|by mistake|my mistake|typo|just a joke",
    "a joke|not serious|for example|e g|i e|hypothetically|theoretically|in theory|would be|would have|could have",
    "should have|was going to|were going to|going to decide|can't decide|cannot decide|haven't decided",
    "don't know|do not know|dunno|no idea|let me know|what do you think|not now|hold off|hold it|stop",
    "make that|make it|or rather|just testing|testing|a test|only a test|just a test|to test|on the other hand",
    "is that ok|is that okay|is this ok|is this okay|good idea|bad idea",
    "on the condition|provided|assuming|suppose|supposing|imagine|otherwise|or else",
)
# Real words, which don't count as misspelled verbs.
NOT_TYPOS = frozenset(
    ["pace", "tell", "bit", "tale", "plane", "chose", "seal", "tae", "dew", "lay", "lie", "want", "wan", "pay", "pass"]
)
# Companies add sentences with these phrases to emails. They are full of conditions that have nothing to do with a move.
DISCLAIMERS = phrases(
    "if you have received|if you received|if you are not the|the intended recipient|disclaimer|confidential|in error",
    "this e - mail|this email and|this message and|before printing|the addressee|legally binding|virus|viruses",
)
# These words make a move doubtful only in the same sentence, or on a line that continues on the next one.
HEDGES = frozenset(
    word
    for phrase in phrases(
        "no|not|never|none|nothing|neither|nor|without|don't|doesn't|didn't|won't|wouldn't|can't|cannot|couldn't",
        "shouldn't|mustn't|isn't|aren't|wasn't|weren't|haven't|hasn't|hadn't|ain't|if|unless|when|whenever|once|until",
        "till|after|before|provided|assuming|otherwise|else|or|either|would|could|should|might|may|must|can",
        "ought|shall",
        "maybe|perhaps|possibly|probably|say|says|said|saying|tell|tells|told|think|thinks|thought|suggest|suggests",
        "suggested|advise|advises|advised|advice|recommend|recommends|recommended|want|wants|wanted|wrote|writes|ask",
        "asks|asked|according|like|likes|as|than|rather|instead|he|she|they|him|her|them|his|hers|their|theirs|we|us",
        "somebody|someone|anybody|anyone|you|your|who|whoever|wait|actually|cancel|ignore|undo|kidding|joking|mistake",
        "oops|but|though|although|however|except|tomorrow|later|next|yesterday|last|eventually|tonight|what|which|why",
        "how|whether|where|was|were|did|had|took|drew|been|bids|takes|draws|places|puts|picks|sells|offers",
        "because|since",
        "i'd|he'd|she'd|they'd|we'd|you'd|let|lets|only|except|versus|vs|wish|plan|planning",
        "considering|consider",
        "feel|feels|tempted|almost|nearly|about|other|others|different",
    )
    for word in phrase
)
# A short sentence with one of these words may revoke a move in the same email.
DENIALS = frozenset(
    word
    for phrase in phrases(
        "no|nope|nah|not|never|none|don't|won't|can't|cannot|shouldn't|wouldn't|if|unless|or|else|maybe",
        "perhaps|possibly",
        "probably|but|later|tomorrow|tonight|wait|stop|only|except|until|after|before|when",
    )
    for word in phrase
)
# Words that may be misspelled, because nothing depends on them.
SHORT_TYPOS = {"teh": "the", "hte": "the", "adn": "and"}
OFTEN_MISSPELLED = ("please", "thanks", "thank", "cheers", "sorry", "would", "like", "going", "everyone", "everybody",
                    "another", "think", "morning", "evening", "regards", "luck", "guess", "want")  # fmt: skip
FIRST_PERSON = frozenset(["i", "i'll", "ill", "i'd", "i'm", "im", "my"])
YES = frozenset(["yes", "yep", "yeah", "yup", "sure"])
NO = frozenset(["no", "nope", "nah"])
SAYS_NO = NO | {"don't", "dont", "won't", "wont"}
# A line that ends like this continues on the next one.
RUNS_ON = frozenset(
    word
    for phrase in phrases(
        "to|the|a|an|and|or|that|would|should|will|could|might|may|must|can|i|he|she|they|we|you|not|never|of|with|for",
        "in|on|at|by|is|are|was|be|if|when|then|than|rather|always|usually|also|says|said",
    )
    for word in phrase
)
# A short sentence that starts like this and has a number may change a move: "Hmm, maybe 1".
HESITATES = frozenset(["hm", "hmm", "well", "oh", "ah", "uh", "um", "err", "eh", "and", "so", "ok", "okay"])
SUGGESTS = frozenset(["maybe", "perhaps", "possibly", "probably", "better"])
STARTS_A_CONDITION = frozenset(
    ["if", "unless", "but", "only", "when", "until", "after", "before", "or", "once", "except", "provided", "no", "not"]
)

GLAD = {":)", ":-)", ";)", ";-)", ":D", ":-D", "^^", "^_^", "<3", ":P", ":-P", "=)", "xD", "XD", ":o)", "\\o/"}
DOUBTFUL_SIGNS = set("👎❌🚫⛔🙅🤔❓❔✋🛑🤷↩🤨")
