import type { PointSyncStatus, SyncTask, sync } from '@voisol/contract/sync'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { Badge } from '../../../../../components/badge.tsx'
import { Card } from '../../../../../components/card.tsx'
import { Link } from '../../../../../components/link.tsx'
import { getTodayInParis } from '../../../../../components/period/period.ts'
import { formatLongDay } from '../../../../../components/period/period-labels.ts'
import { SyncState } from '../../../../../components/sync-status.tsx'
import { ENVIRONMENT_LABELS, SYNC_KIND_LABELS } from '../../../../../lib/distributor-labels.ts'
import { formatCount, formatDateTime } from '../../../../../lib/format.ts'

export type DistributorStatus = z.output<typeof sync.standing.response>

const LabelledValue = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="mt-1 grid gap-1 text-body">{children}</dd>
  </div>
)

const EnvironmentValue = ({ environment }: Pick<DistributorStatus, 'environment'>) =>
  environment ? (
    <>
      <span>
        <Badge tone={ENVIRONMENT_LABELS[environment].tone}>{ENVIRONMENT_LABELS[environment].label}</Badge>
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

const LastTaskValue = ({ task }: { task: SyncTask | null }) =>
  task ? (
    <>
      <SyncState task={task} />
      <Link to={`/enedis-api/sync-tasks/${task.id}`} className="text-[0.8125rem] text-link">
        {SYNC_KIND_LABELS[task.kind].label}, {formatDateTime(task.createdAt)}
      </Link>
    </>
  ) : (
    <span>Rien n’a encore été demandé.</span>
  )

type ParticipationDates = Pick<PointSyncStatus, 'startsOn' | 'endsOn'>

const isParticipating = ({ startsOn, endsOn }: ParticipationDates, today = getTodayInParis()) =>
  startsOn <= today && (endsOn === null || endsOn > today)

/** The day up to which every point that takes part and can be called has sent its readings. */
const computeReceivedUntil = (points: DistributorStatus['points']) => {
  const called = points.filter((point) => !point.blockedAt && isParticipating(point))
  const days = called.flatMap(({ receivedUntil }) => (receivedUntil ? [receivedUntil] : []))
  return days.length > 0 && days.length === called.length ? days.sort()[0] : undefined
}

export function DistributorConnection({ standing, action }: { standing: DistributorStatus; action: ReactNode }) {
  const { environment, lastTask, points } = standing
  const until = computeReceivedUntil(points)
  const blocked = points.filter(({ blockedAt }) => blockedAt).length
  return (
    <Card
      title="Liaison avec Enedis"
      description="Les relevés de la veille sont demandés chaque matin&nbsp;; les quantités définitives, au début de chaque mois."
      actions={action}
    >
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-4">
        <LabelledValue label="Connexion">
          <EnvironmentValue environment={environment} />
        </LabelledValue>
        <LabelledValue label="Dernière synchronisation">
          <LastTaskValue task={lastTask} />
        </LabelledValue>
        <LabelledValue label="Relevés de tous les points">
          {until ? `Reçus jusqu’au ${formatLongDay(until)}` : 'Certains points n’ont encore rien envoyé.'}
        </LabelledValue>
        <LabelledValue label="Points bloqués">
          {blocked > 0 ? (
            <span>
              <Badge tone="danger">{formatCount(blocked, 'point')}</Badge>
            </span>
          ) : (
            'Aucun'
          )}
        </LabelledValue>
      </dl>
    </Card>
  )
}
