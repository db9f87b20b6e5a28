import type { EnergySeries, Granularity, Summary } from '@voisol/contract/energy'
import type { ReportSpan } from '@voisol/contract/report-blocks'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { annualOf } from '../../money/invoices/invoices.ts'
import { yearOf } from '../../money/statements/statements.ts'
import { assemblyOf } from '../../understanding/assembly/assembly.ts'
import { memberRows, producerRows, seriesOf, summaryOf } from '../../understanding/energy/energy.ts'
import type { Subject } from './subject.ts'

export type Days = { from: string; to: string }

/** Read when a block first asks for it, and once. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => {
    known ??= read()
    return known
  }
}

/** What was never invoiced has no year. */
const orNull = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  })

/** Everything a block may be filled with: what the screens and papers of the product say, read by the same functions. */
export function openScene(
  db: Db,
  { config }: Pick<Deps, 'config'>,
  actor: Actor,
  about: { subject: Subject; days: Days; span: ReportSpan },
) {
  const { subject, days } = about
  const { where } = subject
  const year = Number(days.from.slice(0, 4))
  const series = (granularity: Granularity) =>
    once(async (): Promise<EnergySeries | null> => where && seriesOf(db, actor, { ...days, ...where, granularity }))
  return {
    ...about,
    /** Null where nothing was read and nothing shared: not known, which is not zero. */
    energy: once(async (): Promise<Summary | null> => {
      const summary = where && (await summaryOf(db, actor, config, { ...days, ...where }))
      return summary && summary.steps.received + summary.steps.allocated > 0 ? summary : null
    }),
    course: series(about.span === 'year' ? 'month' : 'day'),
    hours: series('hour'),
    members: once(() => memberRows(db, actor, { ...days, operationId: subject.id })),
    plants: once(() => producerRows(db, actor, { ...days, operationId: subject.id })),
    assembly: once(() => assemblyOf(db, { config }, actor, subject.id, days)),
    annual: once(() => orNull(annualOf(db, actor, { buyerId: subject.id, year }))),
    sold: once(async () => {
      const found = await yearOf(db, actor, subject.id, year)
      return found.months.some(({ documents }) => documents > 0) ? found : null
    }),
  }
}
export type Scene = ReturnType<typeof openScene>
