import { declarations } from '@voisol/contract/declarations'
import { withDe } from '@voisol/contract/elision'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PrepareDeclarationButton } from './make-button.tsx'

type AnnualStatementKind = 'participantYear' | 'producerYear'
type Props = { year: number; kind: AnnualStatementKind; children: string }
const showFailure = (error: unknown) =>
  toast({ title: 'Préparation impossible', description: explainError(error), variant: 'destructive' })

const PrepareAllButton = withAccess(declarations.makeYears, ({ year, kind, children }: Props) => {
  const make = useAction(declarations.makeYears, [declarations.list])
  const run = async () => {
    const { made, already } = await make.run({ body: { year, kind } })
    const kept = already > 0 ? `${formatCount(already, 'relevé')} sans changement` : ''
    toast({ title: formatCount(made, 'relevé préparé', 'relevés préparés'), description: kept, variant: 'success' })
  }
  return (
    <Button variant="secondary" size="small" loading={make.isPending} onClick={() => void run().catch(showFailure)}>
      {children}
    </Button>
  )
})

const ArchiveButton = ({ year, kind, children }: Props) => (
  <Button
    variant="quiet"
    size="small"
    icon={<Download aria-hidden="true" />}
    onClick={() => void download(declarations.archive, { query: { year, kind } }).catch(showFailure)}
  >
    {children}
  </Button>
)

/** Yearly statements: one paper for each, kept in its reader's portal. */
export const AnnualStatements = ({ sellerId, seller, year }: { sellerId: string; seller: string; year: number }) => (
  <Card
    title={`Relevés annuels et FEC ${year}`}
    description="Par mois, avec tous les documents ; chacun retrouve le sien dans son espace. Le FEC ne contient que les mois verrouillés."
  >
    <div className="grid gap-4 text-body">
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Participants</span>
        <PrepareAllButton year={year} kind="participantYear">
          Préparer ceux des participants
        </PrepareAllButton>
        <ArchiveButton year={year} kind="participantYear">
          Archive des participants
        </ArchiveButton>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Producteurs</span>
        <PrepareAllButton year={year} kind="producerYear">
          Préparer ceux des producteurs
        </PrepareAllButton>
        <ArchiveButton year={year} kind="producerYear">
          Archive des producteurs
        </ArchiveButton>
        <PrepareDeclarationButton
          order={{ kind: 'producerYear', of: sellerId, year }}
        >{`Celui ${withDe(seller)}`}</PrepareDeclarationButton>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Écritures</span>
        <PrepareDeclarationButton
          order={{ kind: 'fec', of: sellerId, year }}
        >{`FEC ${withDe(seller)}`}</PrepareDeclarationButton>
      </div>
    </div>
  </Card>
)
