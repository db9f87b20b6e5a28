import { type Tariff, type TariffProblem, tariffs } from '@voisol/contract/tariffs'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { withAccess } from '../../lib/can.tsx'
import { confirmImpact } from '../../lib/look-first.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { formatTariffDay, NEW_TARIFF_VERSION, TARIFF_DEPENDENT_QUERIES, useVersionLink } from './links.ts'
import { formatTariffPeriod } from './state.tsx'

type AdoptButtonProps = { tariff: Tariff; changed: boolean; problems: TariffProblem[] }

export const AdoptButton = withAccess(tariffs.adopt, ({ tariff, changed, problems }: AdoptButtonProps) => {
  const { run } = useAction(tariffs.adopt, TARIFF_DEPENDENT_QUERIES)
  const refused = problems.some(({ severity }) => severity === 'refused')
  const doubts = problems.filter(({ severity }) => severity !== 'refused')
  const needsReason = problems.some(({ severity }) => severity === 'reason')
  const [reason, setReason] = useState('')
  const adopt = async () => {
    const { id, version } = tariff
    const body = { version, ...(needsReason && { reason }) }
    // Of months that were billed one sees first what they would come to.
    if (needsReason && !(await confirmImpact({ kind: 'tariff', id, body }, 'Adopter ce tarif'))) return
    await run({ params: { id }, body })
    toast({ title: `Version ${tariff.number} adoptée`, variant: 'success' })
  }
  return (
    <Confirm
      tone="primary"
      title={`Adopter la version ${tariff.number}\u00a0?`}
      description={
        <>
          Ces prix seront facturés {formatTariffPeriod(tariff)}, au jour près. Une version adoptée ne change plus&nbsp;:
          pour d’autres prix, une nouvelle version prendra sa suite.
          {doubts.map(({ message }) => (
            <span key={message} className="mt-3 block font-medium text-warning">
              {message}
            </span>
          ))}
          {needsReason && (
            <span className="mt-3 block">
              <Textarea
                aria-label="Pourquoi ce tarif change des mois clos"
                placeholder={'Pourquoi\u00a0? Ce motif reste au journal.'}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            </span>
          )}
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

export const RemoveDraftButton = withAccess(tariffs.remove, ({ tariff }: { tariff: Tariff }) => {
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
      description={`Les prix prévus au ${formatTariffDay(tariff.startsOn)} seront perdus.`}
      action="Supprimer le brouillon"
      onConfirm={remove}
      trigger={<Button variant="quiet">Supprimer le brouillon</Button>}
    />
  )
})

export const CopyTariffLink = withAccess(tariffs.create, ({ id }: { id: string }) => {
  const link = useVersionLink()
  return (
    <ButtonLink
      variant="secondary"
      size="small"
      icon={<Copy aria-hidden="true" />}
      to={link({ version: NEW_TARIFF_VERSION, modele: id })}
    >
      Copier dans une nouvelle version
    </ButtonLink>
  )
})
