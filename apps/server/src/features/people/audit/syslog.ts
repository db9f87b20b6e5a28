import { hostname } from 'node:os'
import type { AuditDetail } from '@voisol/contract/audit'

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
