import { codeOf } from '../db/causes.ts'
import { maskStatement } from './mask-statement.ts'
import type { Purpose } from './purpose.ts'
import { type Attributes, type Kind, newPlace, type Place, type Span } from './span.ts'
import type { Statement } from './statements.ts'

/** A job may ask the database tens of thousands of times: the first show its shape, and the rest are counted. */
const MOST_STATEMENTS = 500

/** A span that has begun. Its parts are timed by its clock, so that they stay inside it when the machine's is set. */
export type OpenSpan = {
  place: Place
  statements: number
  at(perf: number): number
  end(attributes: Attributes, failed: boolean): void
}
type Beginning = { name: string; kind: Kind; parent?: Place | undefined; links?: Place[] }

const wordOf = (text: string) => /\w+/.exec(text)?.[0].toUpperCase() ?? 'QUERY'

export function openTracer(share: number, keep: (span: Span) => void) {
  function begin({ name, kind, parent, links = [] }: Beginning): OpenSpan {
    const place = newPlace(parent, share)
    const [wall, started] = [Date.now(), performance.now()]
    const at = (perf: number) => wall + perf - started
    const open: OpenSpan = {
      place,
      statements: 0,
      at,
      end(attributes, failed) {
        if (!place.sampled) return
        const counted = { ...attributes, 'voisol.statements': open.statements }
        const times = { from: wall, to: at(performance.now()) }
        keep({ place, parentId: parent?.spanId, name, kind, ...times, attributes: counted, links, failed })
      },
    }
    return open
  }

  function statement({ text, from, ms, rows, error }: Statement, purpose: Purpose | undefined) {
    const span = purpose?.span
    if (!span?.place.sampled) return
    span.statements++
    if (span.statements > MOST_STATEMENTS) return
    const asked = maskStatement(text)
    keep({
      place: newPlace(span.place, share),
      parentId: span.place.spanId,
      name: wordOf(asked),
      kind: 'client',
      from: span.at(from),
      to: span.at(from + ms),
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': asked,
        'db.response.returned_rows': rows,
        'db.response.status_code': codeOf(error) || undefined,
      },
      links: [],
      failed: error !== undefined,
    })
  }
  return { begin, statement }
}
export type Tracer = ReturnType<typeof openTracer>
