import { useQuery } from '@tanstack/react-query'
import type { Operation } from '@voisol/contract/operations'
import { type SyncTask, sync } from '@voisol/contract/sync'
import CloudDownload from 'lucide-react/icons/cloud-download'
import { useNavigate } from 'react-router'
import { Can } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { RequestDialog } from '../../../ui/data-request/request-dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { isAtWork } from '../../../ui/sync-state.tsx'
import { Blocked } from './distributor/blocked.tsx'
import { Connection } from './distributor/connection.tsx'
import { Points } from './distributor/points.tsx'
import { Reconciliation } from './distributor/reconciliation.tsx'
import { Strangers } from './distributor/strangers.tsx'

const POLL_MS = 3000
const working = (task: SyncTask | null | undefined) => Boolean(task && isAtWork(task))

/** How the operation stands with the distributor: what comes, what is held up, and whether the figures agree. */
export default function DistributorTab({ operation }: { operation: Operation }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    ...query(sync.standing, { params: { id: operation.id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (working(state.data?.lastTask) ? POLL_MS : false),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const blocked = data.points.filter(({ blockedAt }) => blockedAt !== null)
  const names = new Map(data.points.map(({ pointId, label }) => [pointId, label]))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Connection
        standing={data}
        action={
          <Can call={sync.start}>
            <RequestDialog
              operationId={operation.id}
              onStarted={({ id }) => void navigate(`/enedis-api/sync-tasks/${id}`)}
              trigger={<Button icon={<CloudDownload aria-hidden="true" />}>Demander des données</Button>}
            />
          </Can>
        }
      />
      {blocked.length > 0 && <Blocked points={blocked} operationId={operation.id} />}
      <Reconciliation operation={operation} names={names} />
      <Points points={data.points} perimeterAt={data.perimeterAt} />
      {data.strangers.length > 0 && <Strangers operationId={operation.id} strangers={data.strangers} />}
    </div>
  )
}
