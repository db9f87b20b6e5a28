/** Fixed ids of the demo company's operations, so that their pages can be linked to. */
export const TILLEULS_ID = '7c1f5a10-3b52-4e0a-9d41-5a2b7c8e1f01'
export const BERGES_ID = '2e84d6b3-91c7-4f5d-8a36-0c9e4b7d2a02'
export const RHONE_SUD_ID = 'b95a3c7e-604d-4281-b7f2-8d13e6a05c03'
export const MONTPLAISIR_ID = '4d0e9b86-c2a5-4b13-a58f-71f6d2c93e04'
export const VIGNES_ID = 'e3b7610c-58f4-4c9e-93d0-2a6c8f1b4d05'
