/** Words that say nothing about which operation is meant: grammar, and the manners of requests. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its they them their there here he him his she her we us our you your i me my mine ' +
    'and or but if then than so as at by for from in into of off on onto to with without within about between through ' +
    'during over under out up per via is are was were be been being am do does did doing done has have had having ' +
    'can could will would shall should may might must not no nor yes s t d m ll re ve don ' +
    'what which who whom whose when where why how all any both each every few more most other some such only own same too very ' +
    'just also like please want wants wanted need needs needed help let lets tell give know looking wish hello hi hey thanks thank ' +
    'kindly able additionally furthermore moreover finally well now ' +
    'etc e g eg ie using use used uses api endpoint'
  ).split(' '),
);

/** Words in which requests are put; an operation's own text may use them with meaning, so they only count less. */
export const REQUEST_WORDS: ReadonlySet<string> = new Set(
  (
    'find search show provide check retrieve fetch get see look tell explain assist ask ' +
    'interested curious trying try planning plan going working interest ' +
    'recently currently soon really actually ' +
    'specific related based given various different possible relevant particular certain ' +
    'information details detail info data ' +
    'one two first something anything someone everything thing things stuff lot way ' +
    'make sure including include includes such following'
  ).split(' '),
);
