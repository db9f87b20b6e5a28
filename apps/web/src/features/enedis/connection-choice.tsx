import type { EnedisCredential } from '@voisol/contract/enedis'
import { useSearchParams } from 'react-router'
import { ENVIRONMENT_LABELS } from '../../lib/distributor-labels.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Select } from '../../ui/select.tsx'
import { getScopeLabel } from './connections/state.ts'

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
