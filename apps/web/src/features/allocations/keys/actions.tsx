import { type KeyDetail, keys } from '@voisol/contract/keys'
import Copy from 'lucide-react/icons/copy'
import { useNavigate } from 'react-router'
import { only } from '../../../lib/can.tsx'
import { METHODS } from '../../../lib/energy-labels.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { useTabLink } from '../tab-link.ts'
import { shortDate } from '../words.tsx'
import { CHANGED, NEW } from './changes.ts'
import { spanWords } from './state.tsx'

export const AdoptButton = only(keys.adopt, ({ detail, changed }: { detail: KeyDetail; changed: boolean }) => {
  const { run } = useAction(keys.adopt, CHANGED)
  const isRefused = detail.problems.some(({ severity }) => severity === 'refused')
  const adopt = async () => {
    await run({ params: { id: detail.id }, body: { version: detail.version } })
    toast({ title: `Version ${detail.number} adoptée`, variant: 'success' })
  }
  return (
    <Confirm
      tone="primary"
      title={`Adopter la version ${detail.number}\u00a0?`}
      description={`L’énergie sera répartie selon la méthode «\u00a0${METHODS[detail.method].label}\u00a0» ${spanWords(detail)}. Les calculs provisoires de ces jours seront refaits\u00a0; les calculs définitifs seront marqués à rectifier.`}
      action="Adopter cette version"
      onConfirm={adopt}
      trigger={
        <Button variant="secondary" disabled={changed || isRefused}>
          Adopter cette version
        </Button>
      }
    />
  )
})

export const RemoveButton = only(keys.remove, ({ detail }: { detail: KeyDetail }) => {
  const navigate = useNavigate()
  const link = useTabLink()
  const { run } = useAction(keys.remove, [keys.list, keys.compare])
  const remove = async () => {
    await run({ params: { id: detail.id } })
    void navigate(link('cles'))
  }
  return (
    <Confirm
      title={`Supprimer le brouillon ${detail.number}\u00a0?`}
      description={`La version prévue au ${shortDate(detail.startsOn)} et ses coefficients seront perdus.`}
      action="Supprimer le brouillon"
      onConfirm={remove}
      trigger={<Button variant="quiet">Supprimer le brouillon</Button>}
    />
  )
})

export const CopyLink = only(keys.create, ({ id }: { id: string }) => {
  const link = useTabLink()
  return (
    <ButtonLink
      variant="secondary"
      size="small"
      icon={<Copy aria-hidden="true" />}
      to={link('cles', { cle: NEW, modele: id })}
    >
      Copier dans une nouvelle version
    </ButtonLink>
  )
})
