import { useQuery } from '@tanstack/react-query'
import { type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, Suspense, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { OperationSelector } from '../../ui/operation-choice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DiscountList } from './discount-list.tsx'
import { FeeList } from './fee-list.tsx'

const FeeDialog = lazy(() => import('./fee-dialog.tsx'))
const DiscountDialog = lazy(() => import('./discount-dialog.tsx'))

type OperationTariffProps = { operationId: string; choices: TariffChoices }

const AddButton = ({ label, dialog }: { label: string; dialog: (close: () => void) => ReactNode }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense fallback={null}>{open && dialog(() => setOpen(false))}</Suspense>
    </>
  )
}
const AddFeeButton = withAccess(tariffs.createFee, (place: OperationTariffProps) => (
  <AddButton label="Ajouter des frais" dialog={(close) => <FeeDialog {...place} onClose={close} />} />
))
const AddDiscountButton = withAccess(tariffs.createDiscount, (place: OperationTariffProps) => (
  <AddButton label="Ajouter une remise" dialog={(close) => <DiscountDialog {...place} onClose={close} />} />
))

const TermsSection = ({
  title,
  about,
  add,
  children,
}: {
  title: string
  about: string
  add: ReactNode
  children: ReactNode
}) => (
  <section className="grid gap-4 [&>*]:min-w-0">
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div>
        <h2 className="text-base font-semibold tracking-[-0.01em]">{title}</h2>
        <p className="prose-width text-body text-ink-soft">{about}</p>
      </div>
      {add}
    </header>
    {children}
  </section>
)

function OperationTerms({ operationId }: { operationId: string }) {
  const { data: choices, error, refetch } = useQuery(query(tariffs.choices, { params: { id: operationId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!choices) return <Skeleton className="h-96 w-full" />
  const place = { operationId, choices }
  return (
    <div className="grid gap-10 [&>*]:min-w-0">
      <TermsSection
        title="Frais"
        about="Ce que chaque membre paie à côté de l’énergie, au prorata des jours."
        add={choices.sellers.length > 0 && <AddFeeButton {...place} />}
      >
        <FeeList {...place} />
      </TermsSection>
      <TermsSection
        title="Remises"
        about="Déduites de l’énergie de chaque facture, dans cet ordre."
        add={<AddDiscountButton {...place} />}
      >
        <DiscountList {...place} />
      </TermsSection>
    </div>
  )
}

/** What an operation asks and grants beside its prices. */
export default function FeesAndDiscountsTab() {
  return (
    <OperationSelector why="Un tarif est celui d’une opération.">
      {({ id }) => <OperationTerms operationId={id} />}
    </OperationSelector>
  )
}
