import { useQuery } from '@tanstack/react-query'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { type PortalBlock, portalManagement } from '@voisol/contract/portal-management'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { FieldFrame, Textarea } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { PORTAL_BLOCK_LABELS } from './labels.ts'

type PortalSettings = EndpointReply<typeof portalManagement.settings>
type SettingsPartProps = { draft: PortalSettings; change: (more: Partial<PortalSettings>) => void; locked: boolean }

const moveBlock = (blocks: PortalBlock[], at: number, by: number): PortalBlock[] => {
  const next = [...blocks]
  const [one] = next.splice(at, 1)
  if (one) next.splice(at + by, 0, one)
  return next
}

function HomePageBlocks({ draft, change, locked }: SettingsPartProps) {
  const { blocks } = draft
  const last = blocks.length - 1
  return (
    <fieldset>
      <legend className="text-body font-medium">Page d’accueil</legend>
      <p className="mb-3 text-[0.8125rem] text-ink-soft">
        Le mois en cours est toujours en tête. Les autres blocs suivent dans cet ordre.
      </p>
      <ul className="divide-y divide-line rounded-card border border-line">
        {blocks.map(({ key, shown }, at) => (
          <li key={key} className="flex items-center gap-2 px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <Checkbox
                label={PORTAL_BLOCK_LABELS[key].label}
                hint={PORTAL_BLOCK_LABELS[key].hint}
                disabled={locked}
                checked={shown}
                onChange={({ target }) =>
                  change({ blocks: blocks.map((one) => (one.key === key ? { key, shown: target.checked } : one)) })
                }
              />
            </div>
            <IconButton
              label={`Monter «\u00a0${PORTAL_BLOCK_LABELS[key].label}\u00a0»`}
              disabled={locked || at === 0}
              onClick={() => change({ blocks: moveBlock(blocks, at, -1) })}
              icon={<ArrowUp aria-hidden="true" />}
            />
            <IconButton
              label={`Descendre «\u00a0${PORTAL_BLOCK_LABELS[key].label}\u00a0»`}
              disabled={locked || at === last}
              onClick={() => change({ blocks: moveBlock(blocks, at, 1) })}
              icon={<ArrowDown aria-hidden="true" />}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

const WelcomeFields = ({ draft, change, locked }: SettingsPartProps) => (
  <>
    <FieldFrame
      id="portal-welcome"
      label="Mot d’accueil"
      optional
      hint="Sous le bonjour de la page d’accueil. 600 caractères au plus."
    >
      <Textarea
        id="portal-welcome"
        aria-describedby="portal-welcome-hint"
        maxLength={600}
        disabled={locked}
        value={draft.welcome}
        onChange={(event) => change({ welcome: event.target.value })}
      />
    </FieldFrame>
    <Checkbox
      label="Comparer aux voisins"
      hint="La moyenne d’au moins cinq voisins comparables qui l’ont accepté. Décoché, aucun participant ne la reçoit."
      disabled={locked}
      checked={draft.comparison}
      onChange={({ target }) => change({ comparison: target.checked })}
    />
  </>
)

function SaveButton({ draft, onSaved }: { draft: PortalSettings; onSaved: () => void }) {
  const save = useAction(portalManagement.saveSettings, [portalManagement.settings])
  const run = () =>
    save.run({ body: draft }).then(
      () => {
        onSaved()
        toast({ title: 'Portail enregistré', variant: 'success' })
      },
      (error: unknown) =>
        toast({ title: 'Portail non enregistré', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button loading={save.isPending} onClick={run} className="justify-self-start">
      Enregistrer ce que voient les participants
    </Button>
  )
}

/** What the participants' first screen is made of. */
export default function PortalSettingsPanel() {
  const { data, error, refetch } = useQuery(query(portalManagement.settings, {}))
  const locked = !useCan()(portalManagement.saveSettings)
  const [edited, setEdited] = useState<PortalSettings>()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const draft = edited ?? data
  const partProps: SettingsPartProps = { draft, locked, change: (more) => setEdited({ ...draft, ...more }) }
  return (
    <Card title="Ce que voient les participants" description="Pour tous les participants de votre organisation.">
      <div className="grid max-w-2xl gap-6">
        <HomePageBlocks {...partProps} />
        <WelcomeFields {...partProps} />
        {locked ? (
          <p className="text-ink-soft">Votre rôle permet de lire ces choix, pas de les changer.</p>
        ) : (
          <SaveButton draft={draft} onSaved={() => setEdited(undefined)} />
        )}
      </div>
    </Card>
  )
}
