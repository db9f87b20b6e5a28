import type { ReactNode } from 'react'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { type MyPoints, useMyPoints } from './my-points.ts'

type PortalPageProps = { title: string; description: ReactNode; actions?: ReactNode; children: ReactNode }

export const PortalPage = ({ title, description, actions, children }: PortalPageProps) => (
  <div className="grid gap-6 [&>*]:min-w-0">
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-3xl font-semibold">{title}</h1>
        <p className="prose-width mt-2 text-lg text-ink-soft">{description}</p>
      </div>
      {actions}
    </header>
    {children}
  </div>
)

type WithPointsProps = {
  children: (mine: MyPoints) => ReactNode
  /** Around what is shown in the meantime. */
  frame?: (waiting: ReactNode) => ReactNode
}

/** What every screen of the portal waits for: the client's own points. */
export function WithPoints({ children, frame = (waiting) => waiting }: WithPointsProps) {
  const { mine, error, refetch } = useMyPoints()
  if (mine) return children(mine)
  return frame(error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton className="h-64 w-full" />)
}

export const NoPoint = () => (
  <Card>
    <EmptyState
      title="Votre compteur n’est pas encore rattaché"
      why="Dès que l’organisateur de votre opération l’aura rattaché à votre compte, vous verrez ici votre énergie."
      action={
        <ButtonLink variant="secondary" to="/client-portal/support?nouvelle=1">
          Écrire à l’organisateur
        </ButtonLink>
      }
    />
  </Card>
)

export const NoReading = () => (
  <Card>
    <EmptyState
      title="Vos premières mesures n’ont pas encore été reçues"
      why="Elles arrivent du compteur communicant, en général quelques jours après votre entrée dans l’opération."
      because="comes-by-itself"
    />
  </Card>
)
