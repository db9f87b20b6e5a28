import { addressOf } from './address.ts'
import { type Exchange, exchange, type Listener } from './exchange.ts'
import { EnedisError } from './faults.ts'
import { about, parseV2, parseV5 } from './parse-curve.ts'
import {
  parseAgreement,
  parseAgreements,
  parseDaily,
  parsePerimeter,
  parseQuantities,
  parseSeries,
  parseServices,
} from './parse-others.ts'
import { type Backend, CURVES, DAILY, OTHERS, type Template, TYPES } from './templates.ts'
import { createToken, type Keys, type Token } from './token.ts'
import type { Enedis } from './types.ts'

export type Connection = Keys & {
  host: string
  backend: Backend
  listen?: Listener
  /** Milliseconds before a call is given up. */
  timeout?: number
  /** One that several connections share. */
  token?: Token
}
type Values = Record<string, string | undefined>
type Sent = { type: string; body: string }

const MOST_PAGES = 200
const json = (value: unknown): Sent => ({ type: 'application/json', body: JSON.stringify(value) })

/** The distributor, whichever interface gives the measures. */
export function openEnedis(connection: Connection): Enedis {
  const { host, backend, listen = () => {}, timeout } = connection
  const token = connection.token ?? createToken(addressOf(host, OTHERS.token, {}), connection, listen, timeout)

  async function once(template: Template, values: Values, sent: Sent | undefined) {
    const bearer = await token.get()
    const asked: Exchange = {
      url: addressOf(host, template, values),
      method: template.method,
      headers: { authorization: `Bearer ${bearer}`, ...(sent && { 'content-type': sent.type }) },
      ...(sent && { body: sent.body }),
    }
    try {
      return await exchange(asked, listen, timeout)
    } catch (error) {
      if (error instanceof EnedisError && error.fault.status === 401) token.drop(bearer)
      throw error
    }
  }

  /** A token may have ended before its time: it is renewed once, and only once. */
  async function ask(template: Template, values: Values = {}, sent?: Sent) {
    try {
      return await once(template, values, sent)
    } catch (error) {
      if (!(error instanceof EnedisError && error.fault.status === 401)) throw error
      return once(template, values, sent)
    }
  }

  const parseCurve = backend === 'dataconnect-v2' ? parseV2 : parseV5
  return {
    async perimeter() {
      const found: string[] = []
      for (let page = 1, pages = 1; page <= Math.min(pages, MOST_PAGES); page++) {
        const answer = parsePerimeter(await ask(OTHERS.perimeter, {}, json({ page_number: page })))
        found.push(...answer.prms)
        pages = answer.pages
      }
      return [...new Set(found)]
    },
    async loadCurve({ direction, ...values }) {
      const curve = parseCurve(await ask(CURVES[backend][direction], values), direction)
      about(values.prm, curve.prm)
      return curve
    },
    dailyEnergy: async ({ direction, ...values }) =>
      parseDaily(await ask(DAILY[backend][direction], values), values.prm),
    agreements: async () => parseAgreements(await ask(OTHERS.agreements)),
    agreement: async (acc) => parseAgreement(await ask(OTHERS.agreement, { acc })),
    series: async (values) => parseSeries(await ask(OTHERS.series, values)),
    definitiveEnergy: async (values) =>
      parseQuantities(await ask(OTHERS.quantities, { ...values, types: TYPES[values.role].join(',') })),
    services: async (prm) => parseServices(await ask(OTHERS.services, {}, json({ pointId: prm }))),
    async uploadKeys({ acc, producerPrm, csv }) {
      await ask(OTHERS.keys, { acc, prm: producerPrm }, { type: 'text/csv; charset=utf-8', body: csv })
    },
  }
}
