import type { Reply } from '@voisol/contract/endpoint'
import type { enedis } from '@voisol/contract/enedis'
import type { ReactNode } from 'react'
import { date, number, plural } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { Tile } from '../../ui/tile.tsx'

type Overview = Reply<typeof enedis.overview>

const To = ({ path, children }: { path: string; children: ReactNode }) => (
  <Link to={path} className="inline-flex min-h-6 items-center text-link">
    {children}
  </Link>
)

function ConsentNote({ expiring, lost }: Overview['consents']) {
  if (expiring + lost === 0) return <>Aucun accord à renouveler, aucun perdu.</>
  return (
    <span className="flex flex-wrap gap-x-3">
      {expiring > 0 && <To path="/participants?review=true">{number(expiring)} à renouveler</To>}
      {lost > 0 && <To path="/enedis-error-logs?nature=consent">{plural(lost, 'accord perdu', 'accords perdus')}</To>}
    </span>
  )
}

/** The four figures one looks for first, each leading to the screen that settles it. */
export const Standing = ({ overview }: { overview: Overview }) => {
  const { points, consents, openErrors, runningTasks, receivedUntil } = overview
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile
        label="Données reçues jusqu’au"
        figure={receivedUntil ? date(receivedUntil) : 'Rien encore'}
        note={<To path="/enedis-data">{plural(points, 'point suivi', 'points suivis')}</To>}
      />
      <Tile label="Accords actifs" figure={number(consents.active)} note={<ConsentNote {...consents} />} />
      <Tile
        label="Erreurs ouvertes"
        figure={number(openErrors)}
        note={
          openErrors > 0 ? (
            <To path="/enedis-error-logs">Voir les causes et les remèdes</To>
          ) : (
            'Rien n’attend votre décision.'
          )
        }
      />
      <Tile
        label="Tâches en cours"
        figure={number(runningTasks)}
        note={<To path="/enedis-api/sync-tasks">Toutes les synchronisations</To>}
      />
    </div>
  )
}
