import type { EndpointReply } from '@voisol/contract/endpoint'
import type { enedis } from '@voisol/contract/enedis'
import type { ReactNode } from 'react'
import { formatCount, formatDate, formatNumber } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { KpiTile } from '../../ui/tile.tsx'

type EnedisOverviewData = EndpointReply<typeof enedis.overview>

const TextLink = ({ path, children }: { path: string; children: ReactNode }) => (
  <Link to={path} className="inline-flex min-h-6 items-center text-link">
    {children}
  </Link>
)

function ConsentNote({ expiring, lost }: EnedisOverviewData['consents']) {
  if (expiring + lost === 0) return <>Aucun accord à renouveler, aucun perdu.</>
  return (
    <span className="flex flex-wrap gap-x-3">
      {expiring > 0 && <TextLink path="/participants?review=true">{formatNumber(expiring)} à renouveler</TextLink>}
      {lost > 0 && (
        <TextLink path="/enedis-error-logs?nature=consent">
          {formatCount(lost, 'accord perdu', 'accords perdus')}
        </TextLink>
      )}
    </span>
  )
}

/** The four figures one looks for first, each leading to the screen that settles it. */
export const OverviewTiles = ({ overview }: { overview: EnedisOverviewData }) => {
  const { points, consents, openErrors, runningTasks, receivedUntil } = overview
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <KpiTile
        label="Données reçues jusqu’au"
        figure={receivedUntil ? formatDate(receivedUntil) : 'Rien encore'}
        note={<TextLink path="/enedis-data">{formatCount(points, 'point suivi', 'points suivis')}</TextLink>}
      />
      <KpiTile label="Accords actifs" figure={formatNumber(consents.active)} note={<ConsentNote {...consents} />} />
      <KpiTile
        label="Erreurs ouvertes"
        figure={formatNumber(openErrors)}
        note={
          openErrors > 0 ? (
            <TextLink path="/enedis-error-logs">Voir les causes et les remèdes</TextLink>
          ) : (
            'Rien n’attend votre décision.'
          )
        }
      />
      <KpiTile
        label="Tâches en cours"
        figure={formatNumber(runningTasks)}
        note={<TextLink path="/enedis-api/sync-tasks">Toutes les synchronisations</TextLink>}
      />
    </div>
  )
}
