/* The exported policy in a control loop: a carriage that drives beside people. carriage.h and carriage.c are written by
   `icct export examples/policies/near_human.json --to c --name carriage`; nothing else of icct is needed. */
#include <stdio.h>

#include "carriage.h"

/* The plant: somebody stands at 12 m for eight seconds, then steps aside. */
typedef struct
{
    double position; /* m */
    double speed;    /* m/s */
    double time;     /* s */
} Plant;

static double distance_to_human(const Plant *plant)
{
    const double distance = 12.0 - plant->position;
    return ((plant->time < 8.0) && (distance > 0.0)) ? distance : 50.0;
}

static void advance(Plant *plant, double acceleration, double period)
{
    plant->speed += acceleration * period;
    if (plant->speed < 0.0)
    {
        plant->speed = 0.0;
    }
    plant->position += plant->speed * period;
    plant->time += period;
}

int main(void)
{
    const double period = 0.01; /* s */
    Plant plant = {0.0, 0.0, 0.0};
    int tick;
    for (tick = 0; tick < 1500; tick++)
    {
        double x[CARRIAGE_OBSERVATIONS];
        double action[CARRIAGE_ACTIONS];
        x[CARRIAGE_OBSERVATION_DISTANCE_TO_HUMAN] = distance_to_human(&plant);
        x[CARRIAGE_OBSERVATION_SPEED] = plant.speed;
        x[CARRIAGE_OBSERVATION_TARGET_SPEED] = 2.0;
        if (carriage_act(x, action) != CARRIAGE_OK)
        {
            (void)puts("a sensor gave no number: the safe action is taken");
        }
        if ((tick % 150) == 0)
        {
            (void)printf("%5.1f s  %6.2f m  %5.2f m/s  %6.2f m/s2\n", plant.time, plant.position, plant.speed,
                         action[CARRIAGE_ACTION_ACCELERATION]);
        }
        advance(&plant, action[CARRIAGE_ACTION_ACCELERATION], period);
    }
    return 0;
}
