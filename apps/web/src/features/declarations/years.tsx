import { declarations } from '@voisol/contract/declarations'
import { of } from '@voisol/contract/elision'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { only } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { plural } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { MakeButton } from './make-button.tsx'

type Kind = 'participantYear' | 'producerYear'
type Props = { year: number; kind: Kind; children: string }
const failed = (error: unknown) =>
  toast({ title: 'Préparation impossible', description: explain(error), variant: 'destructive' })

const MakeAll = only(declarations.makeYears, ({ year, kind, children }: Props) => {
  const make = useAction(declarations.makeYears, [declarations.list])
  const run = async () => {
    const { made, already } = await make.run({ body: { year, kind } })
    const kept = already > 0 ? `${plural(already, 'relevé')} sans changement` : ''
    toast({ title: plural(made, 'relevé préparé', 'relevés préparés'), description: kept, variant: 'success' })
  }
  return (
    <Button variant="secondary" size="small" loading={make.isPending} onClick={() => void run().catch(failed)}>
      {children}
    </Button>
  )
})

const Archive = ({ year, kind, children }: Props) => (
  <Button
    variant="quiet"
    size="small"
    icon={<Download aria-hidden="true" />}
    onClick={() => void download(declarations.archive, { query: { year, kind } }).catch(failed)}
  >
    {children}
  </Button>
)

/** Yearly statements: one paper for each, kept in its reader's portal. */
export const Years = ({ sellerId, seller, year }: { sellerId: string; seller: string; year: number }) => (
  <Card
    title={`Relevés annuels et FEC ${year}`}
    description="Par mois, avec tous les documents ; chacun retrouve le sien dans son espace. Le FEC ne contient que les mois verrouillés."
  >
    <div className="grid gap-4 text-body">
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Participants</span>
        <MakeAll year={year} kind="participantYear">
          Préparer ceux des participants
        </MakeAll>
        <Archive year={year} kind="participantYear">
          Archive des participants
        </Archive>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Producteurs</span>
        <MakeAll year={year} kind="producerYear">
          Préparer ceux des producteurs
        </MakeAll>
        <Archive year={year} kind="producerYear">
          Archive des producteurs
        </Archive>
        <MakeButton order={{ kind: 'producerYear', of: sellerId, year }}>{`Celui ${of(seller)}`}</MakeButton>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Écritures</span>
        <MakeButton order={{ kind: 'fec', of: sellerId, year }}>{`FEC ${of(seller)}`}</MakeButton>
      </div>
    </div>
  </Card>
)
