import { Suspense, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'

const CloseAccount = lazy(() => import('./close-account.tsx'))

/** The way out, with what it does and what the law keeps before anything is done. */
export function AccountClosure() {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Fermer mon compte"
      description="Vous voyez d’abord ce qui s’arrête, ce qui continue et ce que la loi fait garder."
    >
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Voir ce que cela entraîne
      </Button>
      <Dialog title="Fermer mon compte" open={open} onOpenChange={setOpen}>
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <CloseAccount />
        </Suspense>
      </Dialog>
    </Card>
  )
}
