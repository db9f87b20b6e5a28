import type { SyncTask, sync } from '@voisol/contract/sync'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { ENVIRONMENTS, SYNC_KINDS } from '../../../../lib/distributor-labels.ts'
import { dateTime, plural } from '../../../../lib/format.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Card } from '../../../../ui/card.tsx'
import { Link } from '../../../../ui/link.tsx'
import { dayLabel } from '../../../../ui/period/label.ts'
import { SyncState } from '../../../../ui/sync-state.tsx'
import { takesPart } from './words.ts'

export type Standing = z.output<typeof sync.standing.response>

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="mt-1 grid gap-1 text-body">{children}</dd>
  </div>
)

const Environment = ({ environment }: Pick<Standing, 'environment'>) =>
  environment ? (
    <>
      <span>
        <Badge tone={ENVIRONMENTS[environment].tone}>{ENVIRONMENTS[environment].label}</Badge>
      </span>
      <Link to="/enedis-api" className="text-[0.8125rem] text-link">
        Voir les identifiants
      </Link>
    </>
  ) : (
    <>
      <span>Aucun identifiant n’est enregistré.</span>
      <Link to="/enedis-api" className="text-[0.8125rem] text-link">
        Enregistrer des identifiants
      </Link>
    </>
  )

const LastTask = ({ task }: { task: SyncTask | null }) =>
  task ? (
    <>
      <SyncState task={task} />
      <Link to={`/enedis-api/sync-tasks/${task.id}`} className="text-[0.8125rem] text-link">
        {SYNC_KINDS[task.kind].label}, {dateTime(task.createdAt)}
      </Link>
    </>
  ) : (
    <span>Rien n’a encore été demandé.</span>
  )

/** The day up to which every point that takes part and can be called has sent its readings. */
const receivedUntil = (points: Standing['points']) => {
  const called = points.filter((point) => !point.blockedAt && takesPart(point))
  const days = called.flatMap(({ receivedUntil }) => (receivedUntil ? [receivedUntil] : []))
  return days.length > 0 && days.length === called.length ? days.sort()[0] : undefined
}

export function Connection({ standing, action }: { standing: Standing; action: ReactNode }) {
  const { environment, lastTask, points } = standing
  const until = receivedUntil(points)
  const blocked = points.filter(({ blockedAt }) => blockedAt).length
  return (
    <Card
      title="Liaison avec Enedis"
      description="Les relevés de la veille sont demandés chaque matin&nbsp;; les quantités définitives, au début de chaque mois."
      actions={action}
    >
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-4">
        <Fact label="Connexion">
          <Environment environment={environment} />
        </Fact>
        <Fact label="Dernière synchronisation">
          <LastTask task={lastTask} />
        </Fact>
        <Fact label="Relevés de tous les points">
          {until ? `Reçus jusqu’au ${dayLabel(until)}` : 'Certains points n’ont encore rien envoyé.'}
        </Fact>
        <Fact label="Points bloqués">
          {blocked > 0 ? (
            <span>
              <Badge tone="danger">{plural(blocked, 'point')}</Badge>
            </span>
          ) : (
            'Aucun'
          )}
        </Fact>
      </dl>
    </Card>
  )
}
