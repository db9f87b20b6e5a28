type Row = { companyId: number; id: string }
/** A column that is sealed, and the place that opens it; `print` is what an IBAN is known by again beside it. */
export type Sealed = { table: string; column: string; place: (row: Row) => string; print?: string; key?: string[] }

const of = (table: string, column: string, word: string, print?: string): Sealed => ({
  table,
  column,
  place: ({ companyId, id }) => `${word} ${companyId} ${id}`,
  ...(print && { print }),
})

/** All that stays sealed; a test finds every place of the code that seals, here or among what soon goes. */
export const SEALED_COLUMNS: Sealed[] = [
  of('participants', 'iban', 'iban'),
  of('sellers', 'iban', 'seller iban'),
  of('bank_accounts', 'iban', 'bank account', 'iban_print'),
  of('mandates', 'iban', 'mandate iban', 'iban_print'),
  of('mandates', 'former_iban', 'mandate iban'),
  of('online_providers', 'key', 'online key'),
  of('online_providers', 'secret', 'online secret'),
  of('enedis_credentials', 'client_id', 'enedis client'),
  of('enedis_credentials', 'client_secret', 'enedis secret'),
  of('connections', 'settings', 'connection'),
  of('webhooks', 'secret', 'webhook'),
  of('webhooks', 'former_secret', 'webhook'),
  of('sso_connections', 'client_secret', 'sso secret'),
  of('sso_connections', 'signing_key', 'sso key'),
  {
    table: 'sync_settings',
    column: 'file_key',
    place: ({ companyId }) => `distributor files ${companyId}`,
    key: ['company_id'],
  },
  { table: 'users', column: 'totp_secret', place: ({ id }) => `totp ${id}`, key: ['id'] },
]
