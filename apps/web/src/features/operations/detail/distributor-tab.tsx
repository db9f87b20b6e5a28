import { useQuery } from '@tanstack/react-query'
import type { Operation } from '@voisol/contract/operations'
import { type SyncTask, sync } from '@voisol/contract/sync'
import CloudDownload from 'lucide-react/icons/cloud-download'
import { useNavigate } from 'react-router'
import { Can } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { DataRequestDialog } from '../../../ui/data-request/request-dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { isTaskActive } from '../../../ui/sync-state.tsx'
import { BlockedPoints } from './distributor/blocked.tsx'
import { DistributorConnection } from './distributor/connection.tsx'
import { DistributorPoints } from './distributor/points.tsx'
import { ReconciliationSection } from './distributor/reconciliation.tsx'
import { UnknownPoints } from './distributor/strangers.tsx'

const POLL_MS = 3000
const isTaskRunning = (task: SyncTask | null | undefined) => Boolean(task && isTaskActive(task))

/** How the operation stands with the distributor: what comes, what is held up, and whether the figures agree. */
export default function DistributorTab({ operation }: { operation: Operation }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    ...query(sync.standing, { params: { id: operation.id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isTaskRunning(state.data?.lastTask) ? POLL_MS : false),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const blocked = data.points.filter(({ blockedAt }) => blockedAt !== null)
  const names = new Map(data.points.map(({ pointId, label }) => [pointId, label]))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <DistributorConnection
        standing={data}
        action={
          <Can call={sync.start}>
            <DataRequestDialog
              operationId={operation.id}
              onStarted={({ id }) => void navigate(`/enedis-api/sync-tasks/${id}`)}
              trigger={<Button icon={<CloudDownload aria-hidden="true" />}>Demander des données</Button>}
            />
          </Can>
        }
      />
      {blocked.length > 0 && <BlockedPoints points={blocked} operationId={operation.id} />}
      <ReconciliationSection operation={operation} names={names} />
      <DistributorPoints points={data.points} perimeterAt={data.perimeterAt} />
      {data.strangers.length > 0 && <UnknownPoints operationId={operation.id} strangers={data.strangers} />}
    </div>
  )
}
