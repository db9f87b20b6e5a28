/** Who the sandbox lets in. */
export const SANDBOX_CLIENT = { clientId: 'bac-a-sable', clientSecret: 'bac-a-sable' }
