import { messages } from '@voisol/contract/messages'
import PenLine from 'lucide-react/icons/pen-line'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { withAccess } from '../../../lib/can.tsx'
import MessageList from './list.tsx'

const ComposeMessage = withAccess(
  messages.create,
  lazy(() => import('./compose.tsx')),
)
const COMPOSE_PARAM = 'ecrire'

const WriteButton = withAccess(
  messages.create,
  ({ onWrite, label = 'Écrire un message' }: { onWrite: () => void; label?: string }) => (
    <Button icon={<PenLine aria-hidden="true" />} onClick={onWrite} className="justify-self-start">
      {label}
    </Button>
  ),
)

/** What is written to participants: the list, or a new one, by the address. */
export default function MessagesPanel() {
  const [search, setSearch] = useSearchParams()
  const tab = search.get('tab')
  const open = (writing: boolean) => setSearch({ ...(tab && { tab }), ...(writing && { [COMPOSE_PARAM]: '1' }) })
  if (search.has(COMPOSE_PARAM))
    return (
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <ComposeMessage onDone={() => open(false)} />
      </Suspense>
    )
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <WriteButton onWrite={() => open(true)} />
      <MessageList write={<WriteButton onWrite={() => open(true)} label="Écrire un premier message" />} />
    </div>
  )
}
