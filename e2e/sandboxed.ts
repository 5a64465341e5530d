// Tests with machines and networks would change a site on this host.
if (process.env.NOVA_SANDBOX !== 'true')
  throw new Error('run this test in a sandbox: sh scripts/sandbox.sh npx vitest run --project host FILE');
