import {
  type CallTemplate,
  CURVE_TEMPLATES,
  DAILY_ENERGY_TEMPLATES,
  type EnedisInterface,
  OTHER_TEMPLATES,
  SERIES_TYPES_BY_ROLE,
} from './call-templates.ts'
import {
  buildCallUrl,
  type ClientCredentials,
  createEnedisToken,
  type EnedisRequest,
  type EnedisToken,
  type ExchangeOptions,
  sendEnedisRequest,
} from './enedis-exchange.ts'
import { EnedisError } from './enedis-faults.ts'
import type { EnedisClient } from './enedis-types.ts'
import {
  parseAgreement,
  parseAgreements,
  parseDaily,
  parsePerimeter,
  parseQuantities,
  parseSeries,
  parseServices,
} from './parse-agreements.ts'
import { parseCurveV2, parseCurveV5 } from './parse-curve.ts'

type EnedisConnection = ClientCredentials & {
  host: string
  backend: EnedisInterface
  /** Waits for a free slot of the quota before each call; retries wait for their own. */
  turn?: (() => Promise<void>) | undefined
  /** A token shared by several connections. */
  token?: EnedisToken
} & Partial<ExchangeOptions>
type Values = Record<string, string | undefined>
type CallBody = { type: string; body: string }

const MAX_PAGES = 200
const pickCurveParameters = ({ prm, from, to }: { prm: string; from: string; to: string }): Values => ({
  prm,
  from,
  to,
})
const toJsonBody = (value: unknown): CallBody => ({ type: 'application/json', body: JSON.stringify(value) })

/** The client of the distributor, for every interface of measures. */
export function createEnedisClient(connection: EnedisConnection): EnedisClient {
  const { host, backend, turn = async () => {}, listen = () => {}, timeout, now } = connection
  const way: ExchangeOptions = { listen, timeout, now }
  const token = connection.token ?? createEnedisToken(buildCallUrl(host, OTHER_TEMPLATES.token, {}), connection, way)

  async function once(template: CallTemplate, values: Values, sent: CallBody | undefined) {
    const bearer = await token.get()
    const asked: EnedisRequest = {
      url: buildCallUrl(host, template, values),
      method: template.method,
      headers: { authorization: `Bearer ${bearer}`, ...(sent && { 'content-type': sent.type }) },
      ...(sent && { body: sent.body }),
    }
    try {
      return await sendEnedisRequest(asked, way)
    } catch (error) {
      if (error instanceof EnedisError && error.fault.status === 401) token.drop(bearer)
      throw error
    }
  }

  /** A token may expire early: it is renewed once, and only once. */
  async function reach(template: CallTemplate, values: Values, sent: CallBody | undefined) {
    try {
      return await once(template, values, sent)
    } catch (error) {
      if (!(error instanceof EnedisError && error.fault.status === 401) || error.retryAt) throw error
      await turn()
      return once(template, values, sent)
    }
  }

  /** An error about an answer carries its HTTP status and its request id. */
  async function ask<T>(
    template: CallTemplate,
    values: Values,
    parse: (body: unknown) => T,
    sent?: CallBody,
  ): Promise<T> {
    const { value, status, requestId, retryAt } = await reach(template, values, sent)
    try {
      return parse(value)
    } catch (error) {
      if (!(error instanceof EnedisError)) throw error
      throw new EnedisError({ ...error.fault, status }, { requestId, retryAt, cause: error })
    }
  }

  const parseCurve = backend === 'dataconnect-v2' ? parseCurveV2 : parseCurveV5
  return {
    async perimeter() {
      const found: string[] = []
      for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page++) {
        if (page > 1) await turn()
        const answer = await ask(OTHER_TEMPLATES.perimeter, {}, parsePerimeter, toJsonBody({ page_number: page }))
        found.push(...answer.prms)
        pages = answer.pages
      }
      return [...new Set(found)]
    },
    loadCurve: (asked) =>
      ask(CURVE_TEMPLATES[backend][asked.direction], pickCurveParameters(asked), (body) => parseCurve(body, asked)),
    dailyEnergy: (asked) =>
      ask(DAILY_ENERGY_TEMPLATES[backend][asked.direction], pickCurveParameters(asked), (body) =>
        parseDaily(body, asked),
      ),
    agreements: () => ask(OTHER_TEMPLATES.agreements, {}, parseAgreements),
    agreement: (acc) => ask(OTHER_TEMPLATES.agreement, { acc }, (body) => parseAgreement(body, acc)),
    series: (asked) => ask(OTHER_TEMPLATES.series, asked, (body) => parseSeries(body, asked)),
    definitiveEnergy: (asked) =>
      ask(OTHER_TEMPLATES.quantities, { ...asked, types: SERIES_TYPES_BY_ROLE[asked.role].join(',') }, (body) =>
        parseQuantities(body, asked),
      ),
    services: (prm) =>
      ask(OTHER_TEMPLATES.services, {}, (body) => parseServices(body, prm), toJsonBody({ pointId: prm })),
    uploadKeys: ({ acc, producerPrm, csv }) =>
      ask(OTHER_TEMPLATES.keys, { acc, prm: producerPrm }, () => {}, { type: 'text/csv; charset=utf-8', body: csv }),
  }
}
