import { lookup } from 'node:dns/promises'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import { createFaultFinding, createOkFinding, createWarningFinding, type DoctorFinding } from './finding.ts'

const CHECK = 'dns'
const LOOKUP_TIMEOUT_MS = 5000
const rejectAfterTimeout = () =>
  setTimeout(LOOKUP_TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))
/** A DNS server that does not answer counts as having no address. */
const withLookupTimeout = (work: Promise<unknown>) => Promise.race([work, rejectAfterTimeout()])

type HostLookup = (host: string) => Promise<unknown>
const getHost = (url: string | undefined) => (url ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined)

/** The installation does not work without its own names; a name of a company affects that company only. */
export async function checkHostNames(
  config: Config,
  db: Db | undefined,
  find: HostLookup = lookup,
): Promise<DoctorFinding[]> {
  const own = [
    ['PUBLIC_URL', getHost(config.PUBLIC_URL)],
    ['SMTP_URL', getHost(config.SMTP_URL)],
    ['DATABASE_URL', getHost(config.DATABASE_URL)],
    ['FILES_S3_ENDPOINT', getHost(config.FILES_S3_ENDPOINT)],
    ['BACKUP_S3_ENDPOINT', getHost(config.BACKUP_S3_ENDPOINT)],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', getHost(config.OTEL_EXPORTER_OTLP_ENDPOINT)],
  ].filter((pair): pair is [string, string] => Boolean(pair[1]))
  const proved = db
    ? await db.$client.query<{ host: string; companyId: number }>(
        `select host, company_id as "companyId" from brand_hosts where proved_at is not null order by host`,
      )
    : { rows: [] }
  const lost = (host: string) =>
    withLookupTimeout(find(host)).then(
      () => false,
      () => true,
    )
  const faults = own.map(async ([variable, host]) =>
    (await lost(host))
      ? [
          createFaultFinding(
            CHECK,
            `${host} (${variable}) n’a pas d’adresse`,
            'Vérifiez ce nom, et le serveur de noms de la machine.',
          ),
        ]
      : [],
  )
  const warnings = proved.rows.map(async ({ host, companyId }) =>
    (await lost(host))
      ? [
          createWarningFinding(
            CHECK,
            `${host}, adresse de l’organisation ${companyId}, n’a plus d’adresse`,
            'Demandez à l’organisation de remettre l’enregistrement de son domaine (docs/white-label.md).',
          ),
        ]
      : [],
  )
  const found: DoctorFinding[] = (await Promise.all([...faults, ...warnings])).flat()
  return found.length ? found : [createOkFinding(CHECK, `Noms trouvés (${own.length + proved.rows.length})`)]
}
