import { useQuery } from '@tanstack/react-query'
import { type MailRow, mails } from '@voisol/contract/mails'
import { Dialog } from '../../../components/dialog.tsx'
import { MailView } from '../../../components/document-preview.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { query } from '../../../lib/queries.ts'

function MailSampleContent({ kind }: Pick<MailRow, 'kind'>) {
  const { data, error, refetch } = useQuery({
    ...query(mails.sample, { query: { kind } }),
    retry: false,
    staleTime: 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <MailView mail={data} />
}

/** One of them, as it would leave today. */
export default function MailSampleDialog({ row, onClose }: { row: MailRow; onClose: () => void }) {
  return (
    <Dialog open width="wide" title={row.title} onOpenChange={(open) => !open && onClose()}>
      <MailSampleContent kind={row.kind} />
    </Dialog>
  )
}
