import type { Db } from '../../db/client.ts'
import { createFaultFinding, createOkFinding, type DoctorFinding, formatSeconds } from './finding.ts'

const CHECK = 'clock'
const SITE_TIMEOUT_MS = 3000
/** Sessions, job locks and second factors tolerate no more; the HTTP date header has whole seconds. */
const MAX_SKEW_SECONDS = 2
const MAX_HTTP_SKEW_SECONDS = 5

/** How far another clock is ahead of ours, less the time the query itself may have taken. */
export function computeClockSkew(before: number, theirs: number, after: number): number {
  if (theirs >= before && theirs <= after) return 0
  return (theirs > after ? theirs - after : theirs - before) / 1000
}

async function measureDatabaseSkew({ $client }: Db): Promise<number> {
  const ask = () => $client.query<{ at: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as at')
  await ask() // the first query opens a connection
  const before = Date.now()
  const { rows } = await ask()
  return computeClockSkew(before, rows[0]?.at ?? before, Date.now())
}

/** Undefined if there is no answer, or none with a time. */
async function measureSiteSkew(url: string | undefined): Promise<number | undefined> {
  if (!url) return undefined
  try {
    const before = Date.now()
    const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(SITE_TIMEOUT_MS) })
    await answer.arrayBuffer()
    const at = Date.parse(answer.headers.get('date') ?? '')
    return Number.isNaN(at) ? undefined : computeClockSkew(before - 1000, at, Date.now())
  } catch {
    return undefined
  }
}

const REMEDY =
  'Réglez l’heure des deux machines par NTP («\u00a0timedatectl set-ntp true\u00a0»)\u00a0: sessions, doubles authentifications et tâches en dépendent.'
const describeSkew = (whose: string, ahead: number) =>
  `L’horloge ${whose} ${ahead > 0 ? 'avance' : 'retarde'} de ${formatSeconds(Math.abs(ahead))} sur celle de cette machine`

export async function checkClock(db: Db, publicUrl: string | undefined): Promise<DoctorFinding[]> {
  const [database, site] = [await measureDatabaseSkew(db), await measureSiteSkew(publicUrl)]
  const found: DoctorFinding[] = []
  if (Math.abs(database) > MAX_SKEW_SECONDS)
    found.push(createFaultFinding(CHECK, describeSkew('de la base', database), REMEDY))
  if (site !== undefined && Math.abs(site) > MAX_HTTP_SKEW_SECONDS)
    found.push(createFaultFinding(CHECK, describeSkew('de l’adresse publique', site), REMEDY))
  return found.length ? found : [createOkFinding(CHECK, 'Horloges à la même heure')]
}
