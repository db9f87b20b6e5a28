import { hostname } from 'node:os'
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
import { auditScope, buildAuditCondition } from './audit-filters.ts'

/** Facility 13, “log audit” (RFC 5424); a refused call is a warning, everything else is informational. */
const FACILITY = 13
const SEVERITY = { done: 6, refused: 4 }
/** The number that RFC 5612 sets aside for those who have none of their own. */
const ENTERPRISE = 32473

/** RFC 5424, 6.3.3: these three characters are escaped; line breaks are replaced, because a message is one line. */
const escapeSyslog = (text: string) => text.replace(/["\\\]]/g, '\\$&').replace(/[\r\n\u2028\u2029]+/g, ' ')
const HOST =
  hostname()
    .replace(/[^\x21-\x7e]/g, '')
    .slice(0, 255) || '-'

/** Formats one entry as a syslog line for a SIEM. */
export function formatSyslogLine(entry: AuditDetail, companyId: number, host = HOST): string {
  const { id, at, actor, action, target, outcome, ip, requestId, hash, keyId } = entry
  const fields = {
    company: String(companyId),
    seq: id,
    actor,
    action,
    target,
    outcome,
    ip,
    requestId,
    key: keyId ?? '',
    hash,
  }
  const data = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escapeSyslog(value)}"`)
    .join('')
  const message = escapeSyslog(`${actor}\u00a0: ${entry.label}${target && ` (${target})`}`)
  // A UTF-8 message starts with a byte order mark (RFC 5424, 6.4).
  return `<${FACILITY * 8 + SEVERITY[outcome]}>1 ${at} ${host} voisol - audit [audit@${ENTERPRISE}${data}] \ufeff${message}`
}

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
