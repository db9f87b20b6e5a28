import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { useParams } from 'react-router'
import { ErrorState } from '../../../components/error-state.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { ApiError } from '../../../lib/call.ts'
import { useParentName } from '../../../lib/object-names.ts'
import { query } from '../../../lib/queries.ts'
import { AddParticipantButton } from './add/add-dialog.tsx'
import { ImportParticipantsDialog } from './import/import-dialog.tsx'
import { ParticipantScreen } from './participants-screen.tsx'

const isNotFoundError = (error: Error) => error instanceof ApiError && (error.status === 404 || error.status === 422)

export default function OperationParticipants() {
  const { id = '' } = useParams()
  const { data: operation, error, refetch } = useQuery(query(operations.get, { params: { id } }))
  useParentName(operation?.name, `/acc-operations/${id}`)
  if (error && isNotFoundError(error)) throw error
  return (
    <>
      <PageHeader
        title="Participants"
        description={operation && `Opération «\u00a0${operation.name}\u00a0»`}
        actions={
          operation && (
            <>
              <ImportParticipantsDialog operationId={id} />
              <AddParticipantButton operationId={id} />
            </>
          )
        }
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!operation && !error && <TableSkeleton label="Participants" />}
      {operation && <ParticipantScreen operationId={id} />}
    </>
  )
}
