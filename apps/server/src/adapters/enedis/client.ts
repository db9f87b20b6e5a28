import { addressOf } from './address.ts'
import { type Exchange, exchange, type Way } from './exchange.ts'
import { EnedisError } from './faults.ts'
import { parseV2, parseV5 } from './parse-curve.ts'
import {
  parseAgreement,
  parseAgreements,
  parseDaily,
  parsePerimeter,
  parseSeries,
  parseServices,
} from './parse-others.ts'
import { parseQuantities } from './parse-quantities.ts'
import { type Backend, CURVES, DAILY, OTHERS, type Template, TYPES } from './templates.ts'
import { createToken, type Keys, type Token } from './token.ts'
import type { Enedis } from './types.ts'

export type Connection = Keys & {
  host: string
  backend: Backend
  /** A call has its turn before it is made: whatever is exchanged beyond takes its own. */
  turn?: (() => Promise<void>) | undefined
  /** One that several connections share. */
  token?: Token
} & Partial<Way>
type Values = Record<string, string | undefined>
type Sent = { type: string; body: string }

const MOST_PAGES = 200
const only = ({ prm, from, to }: { prm: string; from: string; to: string }): Values => ({ prm, from, to })
const json = (value: unknown): Sent => ({ type: 'application/json', body: JSON.stringify(value) })

/** The distributor, whichever interface gives the measures. */
export function openEnedis(connection: Connection): Enedis {
  const { host, backend, turn = async () => {}, listen = () => {}, timeout, now } = connection
  const way: Way = { listen, timeout, now }
  const token = connection.token ?? createToken(addressOf(host, OTHERS.token, {}), connection, way)

  async function once(template: Template, values: Values, sent: Sent | undefined) {
    const bearer = await token.get()
    const asked: Exchange = {
      url: addressOf(host, template, values),
      method: template.method,
      headers: { authorization: `Bearer ${bearer}`, ...(sent && { 'content-type': sent.type }) },
      ...(sent && { body: sent.body }),
    }
    try {
      return await exchange(asked, way)
    } catch (error) {
      if (error instanceof EnedisError && error.fault.status === 401) token.drop(bearer)
      throw error
    }
  }

  /** A token may have ended before its time: it is renewed once, and only once. */
  async function reach(template: Template, values: Values, sent: Sent | undefined) {
    try {
      return await once(template, values, sent)
    } catch (error) {
      if (!(error instanceof EnedisError && error.fault.status === 401) || error.retryAt) throw error
      await turn()
      return once(template, values, sent)
    }
  }

  /** What is wrong with an answer is told with the status and the reference it came under. */
  async function ask<T>(template: Template, values: Values, parse: (body: unknown) => T, sent?: Sent): Promise<T> {
    const { value, status, requestId, retryAt } = await reach(template, values, sent)
    try {
      return parse(value)
    } catch (error) {
      if (!(error instanceof EnedisError)) throw error
      throw new EnedisError({ ...error.fault, status }, { requestId, retryAt, cause: error })
    }
  }

  const parseCurve = backend === 'dataconnect-v2' ? parseV2 : parseV5
  return {
    async perimeter() {
      const found: string[] = []
      for (let page = 1, pages = 1; page <= Math.min(pages, MOST_PAGES); page++) {
        if (page > 1) await turn()
        const answer = await ask(OTHERS.perimeter, {}, parsePerimeter, json({ page_number: page }))
        found.push(...answer.prms)
        pages = answer.pages
      }
      return [...new Set(found)]
    },
    loadCurve: (asked) => ask(CURVES[backend][asked.direction], only(asked), (body) => parseCurve(body, asked)),
    dailyEnergy: (asked) => ask(DAILY[backend][asked.direction], only(asked), (body) => parseDaily(body, asked)),
    agreements: () => ask(OTHERS.agreements, {}, parseAgreements),
    agreement: (acc) => ask(OTHERS.agreement, { acc }, (body) => parseAgreement(body, acc)),
    series: (asked) => ask(OTHERS.series, asked, (body) => parseSeries(body, asked)),
    definitiveEnergy: (asked) =>
      ask(OTHERS.quantities, { ...asked, types: TYPES[asked.role].join(',') }, (body) => parseQuantities(body, asked)),
    services: (prm) => ask(OTHERS.services, {}, (body) => parseServices(body, prm), json({ pointId: prm })),
    uploadKeys: ({ acc, producerPrm, csv }) =>
      ask(OTHERS.keys, { acc, prm: producerPrm }, () => {}, { type: 'text/csv; charset=utf-8', body: csv }),
  }
}
