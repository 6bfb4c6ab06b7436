// Starts the packaged LoopBack todo example on PORT of loopback.
// Its own start file would write its data below the package folder and look addresses up at a public service:
// here the data stays in memory and the address service is a closed local port, so such look-ups fail at once.
const {TodoListApplication} = require('@loopback/example-todo');

async function main() {
  const app = new TodoListApplication({
    rest: {port: Number(process.env.PORT), host: '127.0.0.1', gracePeriodForClose: 0, openApiSpec: {setServersFromRequest: true}},
  });
  app.bind('datasources.config.db').to({name: 'db', connector: 'memory'});
  app.bind('datasources.config.geocoder').to({
    name: 'geocoder',
    connector: require('loopback-connector-rest'),
    operations: [
      {
        template: {method: 'GET', url: 'http://127.0.0.1:1/', query: {address: '{address}'}},
        functions: {geocode: ['address']},
      },
    ],
  });
  await app.boot();
  await app.start();
  console.log('ready');
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
