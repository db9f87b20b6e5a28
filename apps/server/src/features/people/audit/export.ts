import { Readable } from 'node:stream'
import type { AuditDetail, AuditExport, AuditFormat } from '@voisol/contract/audit'
import { and, asc, gt, lte, max } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import { writeCsv } from '../../../files/csv.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { toAuditDetail } from './audit.ts'
import { buildAuditCondition } from './filters.ts'
import { auditScope } from './scope.ts'
import { formatSyslogLine } from './syslog.ts'

type Query = z.output<typeof AuditExport>
type Format = z.output<typeof AuditFormat>
const BATCH_SIZE = 1000
const HEADER = [
  'N°',
  'Date',
  'Qui',
  'Action',
  'Appel',
  'Objet',
  'Résultat',
  'Adresse',
  'Requête',
  'Détail',
  'Empreinte',
]

const toCsvCells = (entry: AuditDetail) => [
  Number(entry.id),
  entry.at,
  entry.actor,
  entry.label,
  entry.action,
  entry.target,
  entry.outcome === 'done' ? 'Fait' : 'Refusé',
  entry.ip,
  entry.requestId,
  JSON.stringify(entry.detail),
  entry.hash,
]

/** Formats a batch of rows; the header comes with the first batch. */
const FORMAT_WRITERS: Record<Format, (entries: AuditDetail[], first: boolean, companyId: number) => string> = {
  csv: (entries, first) => {
    const text = writeCsv(HEADER, entries.map(toCsvCells))
    return first ? text : text.slice(text.indexOf('\n') + 1)
  },
  jsonl: (entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  syslog: (entries, _, companyId) => entries.map((entry) => `${formatSyslogLine(entry, companyId)}\n`).join(''),
}
const FORMAT_FILES: Record<Format, { extension: string; type: string }> = {
  csv: { extension: 'csv', type: 'text/csv; charset=utf-8' },
  jsonl: { extension: 'jsonl', type: 'application/x-ndjson' },
  syslog: { extension: 'log', type: 'text/plain; charset=utf-8' },
}

/** Oldest first, in batches, up to the last entry at the time of the request. */
async function* generateExportParts(db: Db, actor: Actor, query: Query): AsyncGenerator<Uint8Array> {
  const { seq } = auditEntries
  const [head] = await db
    .select({ end: max(seq) })
    .from(auditEntries)
    .where(auditScope(actor))
  const where = and(buildAuditCondition(actor, query), lte(seq, head?.end ?? 0))
  for (let after = 0, first = true; ; first = false) {
    const rows = await db
      .select()
      .from(auditEntries)
      .where(and(where, gt(seq, after)))
      .orderBy(asc(seq))
      .limit(BATCH_SIZE)
    if (rows.length > 0 || (first && query.format === 'csv'))
      yield Buffer.from(FORMAT_WRITERS[query.format](rows.map(toAuditDetail), first, actor.companyId))
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)?.seq ?? after
  }
}

export function exportAudit(db: Db, actor: Actor, query: Query) {
  const { extension, type } = FORMAT_FILES[query.format]
  const content = Readable.from(generateExportParts(db, actor, query), { objectMode: false })
  return { name: `journal-audit-${getToday()}.${extension}`, type, content }
}
