import { type Tariff, type TariffProblem, tariffs } from '@voisol/contract/tariffs'
import Copy from 'lucide-react/icons/copy'
import { useNavigate } from 'react-router'
import { only } from '../../lib/can.tsx'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CHANGED, dayWords, NEW, useVersionLink } from './links.ts'
import { spanWords } from './state.tsx'

type AdoptProps = { tariff: Tariff; changed: boolean; problems: TariffProblem[] }

export const AdoptButton = only(tariffs.adopt, ({ tariff, changed, problems }: AdoptProps) => {
  const { run } = useAction(tariffs.adopt, CHANGED)
  const refused = problems.some(({ severity }) => severity === 'refused')
  const doubts = problems.filter(({ severity }) => severity === 'warning')
  const adopt = async () => {
    await run({ params: { id: tariff.id }, body: { version: tariff.version } })
    toast({ title: `Version ${tariff.number} adoptée`, variant: 'success' })
  }
  return (
    <Confirm
      tone="primary"
      title={`Adopter la version ${tariff.number}\u00a0?`}
      description={
        <>
          Ces prix seront facturés {spanWords(tariff)}, au jour près. Une version adoptée ne change plus&nbsp;: pour
          d’autres prix, une nouvelle version prendra sa suite.
          {doubts.map(({ message }) => (
            <span key={message} className="mt-3 block font-medium text-warning">
              {message}
            </span>
          ))}
        </>
      }
      action="Adopter ce tarif"
      onConfirm={adopt}
      trigger={
        <Button variant="secondary" disabled={changed || refused}>
          Adopter ce tarif
        </Button>
      }
    />
  )
})

export const RemoveButton = only(tariffs.remove, ({ tariff }: { tariff: Tariff }) => {
  const navigate = useNavigate()
  const link = useVersionLink()
  const { run } = useAction(tariffs.remove, [tariffs.list, tariffs.indexes])
  const remove = async () => {
    await run({ params: { id: tariff.id } })
    void navigate(link({}))
  }
  return (
    <Confirm
      title={`Supprimer le brouillon ${tariff.number}\u00a0?`}
      description={`Les prix prévus au ${dayWords(tariff.startsOn)} seront perdus.`}
      action="Supprimer le brouillon"
      onConfirm={remove}
      trigger={<Button variant="quiet">Supprimer le brouillon</Button>}
    />
  )
})

export const CopyLink = only(tariffs.create, ({ id }: { id: string }) => {
  const link = useVersionLink()
  return (
    <ButtonLink
      variant="secondary"
      size="small"
      icon={<Copy aria-hidden="true" />}
      to={link({ version: NEW, modele: id })}
    >
      Copier dans une nouvelle version
    </ButtonLink>
  )
})
