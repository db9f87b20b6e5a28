/** Who the sandbox lets in. */
export const SIMULATOR_CLIENT = { clientId: 'bac-a-sable', clientSecret: 'bac-a-sable' }
