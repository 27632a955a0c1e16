import type { Json } from '../../operations/index.ts';

/** .NET's `System.Net.HttpStatusCode`, in lower case: how connectors say a status. Some numbers have two names. */
const WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    continue: 100,
    switchingprotocols: 101,
    processing: 102,
    earlyhints: 103,
    ok: 200,
    created: 201,
    accepted: 202,
    nonauthoritativeinformation: 203,
    nocontent: 204,
    resetcontent: 205,
    partialcontent: 206,
    multistatus: 207,
    alreadyreported: 208,
    imused: 226,
    ambiguous: 300,
    multiplechoices: 300,
    moved: 301,
    movedpermanently: 301,
    found: 302,
    redirect: 302,
    redirectmethod: 303,
    seeother: 303,
    notmodified: 304,
    useproxy: 305,
    unused: 306,
    redirectkeepverb: 307,
    temporaryredirect: 307,
    permanentredirect: 308,
    badrequest: 400,
    unauthorized: 401,
    paymentrequired: 402,
    forbidden: 403,
    notfound: 404,
    methodnotallowed: 405,
    notacceptable: 406,
    proxyauthenticationrequired: 407,
    requesttimeout: 408,
    conflict: 409,
    gone: 410,
    lengthrequired: 411,
    preconditionfailed: 412,
    requestentitytoolarge: 413,
    requesturitoolong: 414,
    unsupportedmediatype: 415,
    requestedrangenotsatisfiable: 416,
    expectationfailed: 417,
    misdirectedrequest: 421,
    unprocessableentity: 422,
    unprocessablecontent: 422,
    locked: 423,
    faileddependency: 424,
    upgraderequired: 426,
    preconditionrequired: 428,
    toomanyrequests: 429,
    requestheaderfieldstoolarge: 431,
    unavailableforlegalreasons: 451,
    internalservererror: 500,
    notimplemented: 501,
    badgateway: 502,
    serviceunavailable: 503,
    gatewaytimeout: 504,
    httpversionnotsupported: 505,
    variantalsonegotiates: 506,
    insufficientstorage: 507,
    loopdetected: 508,
    notextended: 510,
    networkauthenticationrequired: 511,
  }),
);

/** The number of a status said as .NET word (any case), number or digits; undefined for anything else. */
export function readStatusCode(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return inRange(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return /^\d{3}$/.test(text) ? inRange(Number(text)) : WORDS.get(text.toLowerCase());
}

function inRange(status: number): number | undefined {
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}
