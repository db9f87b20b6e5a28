import { hostname } from 'node:os'
import type { AuditDetail } from '@voisol/contract/audit'

/** Facility « log audit »; a refusal is a warning, the rest informs. */
const FACILITY = 13
const SEVERITY = { done: 6, refused: 4 }
/** The number that RFC 5612 sets aside for those who have none of their own. */
const ENTERPRISE = 32473

/** RFC 5424, 6.3.3: these three are escaped, and a value holds no line break here: a line is a message. */
const escapeSyslog = (text: string) => text.replace(/["\\\]]/g, '\\$&').replace(/[\r\n\u2028\u2029]+/g, ' ')
const HOST =
  hostname()
    .replace(/[^\x21-\x7e]/g, '')
    .slice(0, 255) || '-'

/** One entry as a line for a SIEM. */
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
  // The mark of UTF-8 stands before the words: 6.4.
  return `<${FACILITY * 8 + SEVERITY[outcome]}>1 ${at} ${host} voisol - audit [audit@${ENTERPRISE}${data}] \ufeff${message}`
}
