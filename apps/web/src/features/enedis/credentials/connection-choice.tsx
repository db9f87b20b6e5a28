import { useQuery } from '@tanstack/react-query'
import { type EnedisCredential, enedis } from '@voisol/contract/enedis'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import { Can } from '../../../lib/can.tsx'
import { ENVIRONMENT_LABELS } from '../../../lib/distributor-labels.ts'
import { query } from '../../../lib/queries.ts'
import { getScopeLabel } from './connections/connection-state.ts'

const CONNECTION_PARAM = 'connexion'
const LOCAL_SANDBOX = 'bac-a-sable'

type AvailableConnections = { credentials: EnedisCredential[]; sandboxUrl: string | null }

/** The sandbox asks for none until the company has some: from then on the calls without a choice are theirs. */
const isSandboxOpen = ({ credentials, sandboxUrl }: AvailableConnections) =>
  sandboxUrl !== null && !credentials.some(({ operationId }) => operationId === null)

const buildConnectionOptions = (known: AvailableConnections) => [
  ...known.credentials.map((one) => ({
    value: one.id,
    label: `${getScopeLabel(one)} · ${ENVIRONMENT_LABELS[one.environment].label}`,
  })),
  ...(isSandboxOpen(known) ? [{ value: LOCAL_SANDBOX, label: 'Bac à sable local, sans identifiant' }] : []),
]

/** Through which connection calls go; the choice is in the address. */
export function useConnectionChoice(known: AvailableConnections) {
  const [search, setSearch] = useSearchParams()
  const options = buildConnectionOptions(known)
  const value =
    options.find((option) => option.value === search.get(CONNECTION_PARAM))?.value ?? options[0]?.value ?? ''
  const choose = (next: string) =>
    setSearch(
      (old) => {
        old.set(CONNECTION_PARAM, next)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  /** What the calls of the contract take: nothing stands for the sandbox. */
  const through = value === LOCAL_SANDBOX ? {} : { credentialId: value }
  return { options, value, choose, through }
}

export const ConnectionChoice = ({ options, value, choose }: ReturnType<typeof useConnectionChoice>) => (
  <FieldFrame id="connection" label="Connexion">
    <Select id="connection" options={options} value={value} onChange={(event) => choose(event.target.value)} />
  </FieldFrame>
)

/** Neither credentials nor the sandbox: nothing can be asked. */
export const NoConnectionAvailable = () => (
  <div className={cardClass}>
    <EmptyState
      title="Aucune connexion au distributeur"
      why="Le bac à sable local n’est pas démarré sur cette installation et aucun identifiant n’est enregistré."
      action={
        <Can call={enedis.save}>
          <ButtonLink to="/enedis-api">Ajouter des identifiants</ButtonLink>
        </Can>
      }
    />
  </div>
)

const ACTIVE_POLL_MS = 5000
const IDLE_POLL_MS = 30_000

/** Gauges and circuits move by themselves: read again often while calls are going out, seldom otherwise. */
export const useEnedisOverview = () =>
  useQuery({
    ...query(enedis.overview, {}),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.runningTasks ?? 0) > 0 ? ACTIVE_POLL_MS : IDLE_POLL_MS),
  })
